//! A tonic codec for messages that are known only by their descriptors.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use tonic::{
    Status,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};

/// Encodes requests, and decodes responses of this descriptor.
pub(crate) struct DynamicCodec(pub(crate) MessageDescriptor);

pub(crate) struct DynamicEncoder;

pub(crate) struct DynamicDecoder(pub(crate) MessageDescriptor);

impl Codec for DynamicCodec {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = DynamicEncoder;
    type Decoder = DynamicDecoder;

    fn encoder(&mut self) -> DynamicEncoder {
        DynamicEncoder
    }

    fn decoder(&mut self) -> DynamicDecoder {
        DynamicDecoder(self.0.clone())
    }
}

impl Encoder for DynamicEncoder {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, item: DynamicMessage, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(to).map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for DynamicDecoder {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        DynamicMessage::decode(self.0.clone(), from)
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }
}
