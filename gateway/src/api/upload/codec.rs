//! The tonic codec of forwarded forms.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use sahm_proto::identity::v1::SubmitFeedbackRequest;
use tonic::{
    Status,
    codec::{Codec, EncodeBuf, Encoder},
};

use crate::grpc_reflection_client::DynamicDecoder;

/// Encodes the messages of a form. `Err` resets the stream, so that the service does not accept an incomplete form.
/// Generated clients cannot do that: the stream of a dropped call ends regularly.
pub(super) struct FormCodec(pub(super) MessageDescriptor);

pub(super) struct FormEncoder;

impl Codec for FormCodec {
    type Encode = Result<SubmitFeedbackRequest, Status>;
    type Decode = DynamicMessage;
    type Encoder = FormEncoder;
    type Decoder = DynamicDecoder;

    fn encoder(&mut self) -> FormEncoder {
        FormEncoder
    }

    fn decoder(&mut self) -> DynamicDecoder {
        DynamicDecoder(self.0.clone())
    }
}

impl Encoder for FormEncoder {
    type Item = Result<SubmitFeedbackRequest, Status>;
    type Error = Status;

    fn encode(
        &mut self,
        item: Result<SubmitFeedbackRequest, Status>,
        to: &mut EncodeBuf<'_>,
    ) -> Result<(), Status> {
        item?.encode(to).map_err(|error| Status::internal(error.to_string()))
    }
}
