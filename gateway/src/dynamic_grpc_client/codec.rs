//! A tonic codec for responses that are known only by their descriptor.

use std::marker::PhantomData;

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use tonic::{
    Status,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};

/// Encodes requests of type `M`, and decodes responses of this descriptor.
///
/// Encoding `Err` resets the stream, so that a service does not accept incomplete messages. Generated clients cannot do
/// that: the stream of a dropped call ends normally.
pub(crate) struct DynamicCodec<M>(MessageDescriptor, PhantomData<fn(M)>);

impl<M> DynamicCodec<M> {
    pub(crate) fn new(response: MessageDescriptor) -> Self {
        Self(response, PhantomData)
    }
}

impl<M: Message + 'static> Codec for DynamicCodec<M> {
    type Encode = Result<M, Status>;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self::new(self.0.clone())
    }

    fn decoder(&mut self) -> Self {
        Self::new(self.0.clone())
    }
}

impl<M: Message> Encoder for DynamicCodec<M> {
    type Item = Result<M, Status>;
    type Error = Status;

    fn encode(&mut self, item: Self::Item, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item?.encode(to).map_err(|error| Status::internal(error.to_string()))
    }
}

impl<M> Decoder for DynamicCodec<M> {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        DynamicMessage::decode(self.0.clone(), from)
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }
}
