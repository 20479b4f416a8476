#![allow(clippy::unwrap_used)]
//! Tests with a message that has one field of each type.
use super::*;
use proptest::prelude::*;

fn every_kind() -> MessageDescriptor {
    use prost_types::{
        DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
        FileDescriptorProto, FileDescriptorSet,
        field_descriptor_proto::{Label, Type},
    };
    let field = |number: i32, name: &str, kind: Type, label: Label, of: Option<&str>| {
        FieldDescriptorProto {
            name: Some(name.to_owned()),
            number: Some(number),
            label: Some(label.into()),
            r#type: Some(kind.into()),
            type_name: of.map(str::to_owned),
            ..Default::default()
        }
    };
    let one = Label::Optional;
    let fields = vec![
        field(1, "text", Type::String, one, None),
        field(2, "flag", Type::Bool, one, None),
        field(3, "u_small", Type::Uint32, one, None),
        field(4, "u_large", Type::Uint64, one, None),
        field(9, "side", Type::Enum, one, Some(".t.Side")),
        field(10, "inner", Type::Message, one, Some(".t.Every")),
        field(11, "texts", Type::String, Label::Repeated, None),
        field(12, "numbers", Type::Uint64, Label::Repeated, None),
        field(13, "list", Type::Message, Label::Repeated, Some(".t.Every")),
    ];
    let value = |name: &str, number: i32| EnumValueDescriptorProto {
        name: Some(name.to_owned()),
        number: Some(number),
        options: None,
    };
    let file = FileDescriptorProto {
        name: Some("t.proto".to_owned()),
        package: Some("t".to_owned()),
        syntax: Some("proto3".to_owned()),
        message_type: vec![DescriptorProto {
            name: Some("Every".to_owned()),
            field: fields,
            ..Default::default()
        }],
        enum_type: vec![EnumDescriptorProto {
            name: Some("Side".to_owned()),
            value: vec![value("NONE", 0), value("BUY", 1)],
            ..Default::default()
        }],
        ..Default::default()
    };
    let set = FileDescriptorSet { file: vec![file] };
    let pool = prost_reflect::DescriptorPool::from_file_descriptor_set(set).unwrap();
    pool.get_message_by_name("t.Every").unwrap()
}

fn message(
    descriptor: &MessageDescriptor,
    params: &Params,
    path_values: &[(String, String)],
) -> Result<DynamicMessage, FieldErrors> {
    let (message, errors) = read(descriptor, params, path_values);
    if errors.is_empty() { Ok(message) } else { Err(errors) }
}

fn of_form(form: &str) -> Result<DynamicMessage, FieldErrors> {
    message(&every_kind(), &Params::of_query(form), &[])
}

fn of_json_text(json: &str) -> Result<DynamicMessage, FieldErrors> {
    let params = Params::of_body(super::super::params::BodyType::Json, json.as_bytes());
    message(&every_kind(), &params, &[])
}

fn shown(message: &DynamicMessage) -> String {
    let fields = message.fields();
    fields
        .map(|(field, value)| format!("{}={}", field.json_name(), show(value)))
        .collect::<Vec<_>>()
        .join(" ")
}

fn show(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::U32(value) => value.to_string(),
        Value::U64(value) => value.to_string(),
        Value::EnumNumber(value) => value.to_string(),
        Value::String(value) => value.clone(),
        Value::List(values) => {
            format!("[{}]", values.iter().map(show).collect::<Vec<_>>().join(","))
        }
        Value::Message(value) => format!("{{{}}}", shown(value)),
        other => format!("{other:?}"),
    }
}

#[test]
fn form_values_are_read_by_the_type_of_their_field() {
    let cases = [
        ("", ""),
        ("text=a+b&unknown=1", "text=a b"),
        ("text=", ""),
        (
            "flag=true&uSmall=7&uLarge=18446744073709551615",
            "flag=true uSmall=7 uLarge=18446744073709551615",
        ),
        ("flag=1", "flag=true"),
        ("uSmall=&uLarge=&flag=", ""),
        ("u_small=7", ""),
        ("side=BUY", "side=1"),
        ("side=1", "side=1"),
        ("texts=a&texts=b&texts=", "texts=[a,b]"),
        ("numbers=1&numbers=2", "numbers=[1,2]"),
        ("numbers=[1,\"2\"]", "numbers=[1,2]"),
        ("inner={\"text\":\"x\"}", "inner={text=x}"),
        ("list=[{\"uLarge\":\"5\"},{}]", "list=[{uLarge=5},{}]"),
    ];
    for (form, expected) in cases {
        assert_eq!(of_form(form).map(|message| shown(&message)).as_deref(), Ok(expected), "{form}");
    }
}

#[test]
fn json_values_are_read_by_the_type_of_their_field() {
    let cases = [
        (r#"{"text":"x","flag":false,"uSmall":4,"extra":{"deep":[1]}}"#, "text=x uSmall=4"),
        (r#"{"text":null,"uSmall":null}"#, ""),
        (r#"{"text":2083.0,"texts":[-4e0,-0.0]}"#, "text=2083 texts=[-4,0]"),
        (r#"{"text":9007199254740991}"#, "text=9007199254740991"),
        (r#"{"text":512345678,"texts":["a",-7]}"#, "text=512345678 texts=[a,-7]"),
        (r#"{"uLarge":18446744073709551615}"#, "uLarge=18446744073709551615"),
        (r#"{"uSmall":4.0,"uLarge":"2"}"#, "uSmall=4 uLarge=2"),
        (r#"{"side":1}"#, "side=1"),
        (r#"{"texts":["a","b"],"numbers":[1,"2"]}"#, "texts=[a,b] numbers=[1,2]"),
        (r#"{"flag":1}"#, "flag=true"),
        (r#"{"flag":1.0}"#, "flag=true"),
        (r#"{"inner":{"inner":{"flag":true}}}"#, "inner={inner={flag=true}}"),
    ];
    for (json, expected) in cases {
        let result = of_json_text(json).map(|message| shown(&message));
        assert_eq!(result.as_deref(), Ok(expected), "{json}");
    }
}

#[test]
fn faults_name_the_invalid_field() {
    let number = "must be a whole number from 0 to 4294967295";
    let forms = [
        ("uSmall=x", "uSmall", number),
        ("uSmall=-1", "uSmall", number),
        ("uSmall=4294967296", "uSmall", number),
        ("uSmall=+4", "uSmall", number),
        ("uSmall=04", "uSmall", number),
        ("uSmall=4.0", "uSmall", number),
        ("uSmall=%204", "uSmall", number),
        ("uSmall=1&uSmall=2", "uSmall", "is given more than once"),
        ("flag=yes", "flag", "must be true or false"),
        ("side=HOLD", "side", "must be one of the declared values"),
        ("side=9", "side", "must be one of the declared values"),
        ("text=a%00b", "text", "must not hold the character U+0000"),
        (
            "numbers=1&numbers=x",
            "numbers[1]",
            "must be a whole number from 0 to 18446744073709551615",
        ),
        ("inner={", "inner", "is not valid JSON (line 1, column 1)"),
        ("list=[{\"flag\":3}]", "list[0].flag", "must be true or false"),
        ("list={}", "list", "must be a list"),
    ];
    for (form, field, why) in forms {
        let errors = of_form(form).unwrap_err();
        assert_eq!(errors, FieldErrors::from([(field.to_owned(), why.to_owned())]), "{form}");
    }
    let bodies = [
        (r#"{"text":5.5}"#, "text", "must be text"),
        (r#"{"text":true}"#, "text", "must be text"),
        (r#"{"text":9007199254740992}"#, "text", "must be text"),
        (r#"{"text":1e20}"#, "text", "must be text"),
        (r#"{"uSmall":4.5}"#, "uSmall", number),
        (r#"{"uSmall":[]}"#, "uSmall", number),
        (r#"{"uSmall":1e40}"#, "uSmall", number),
        (r#"{"flag":2}"#, "flag", "must be true or false"),
        (r#"{"flag":1.5}"#, "flag", "must be true or false"),
        (r#"{"inner":3}"#, "inner", "must be an object"),
        (r#"{"inner":{"list":[{},{"uSmall":-1}]}}"#, "inner.list[1].uSmall", number),
        (r#"{"texts":"a"}"#, "texts", "must be a list"),
    ];
    for (body, field, why) in bodies {
        let errors = of_json_text(body).unwrap_err();
        assert_eq!(errors, FieldErrors::from([(field.to_owned(), why.to_owned())]), "{body}");
    }
}

#[test]
fn all_faults_are_reported_and_path_values_take_precedence() {
    assert_eq!(of_form("uSmall=x&flag=x").unwrap_err().len(), 2);
    let params = Params::of_query("uSmall=1");
    let in_path = [("u_small".to_owned(), "2".to_owned())];
    assert_eq!(shown(&message(&every_kind(), &params, &in_path).unwrap()), "uSmall=2");
}

proptest! {
    #[test]
    fn any_form_is_read_without_panic(form in "([a-zA-Z]{1,8}|uSmall|numbers|list|inner|side)=[\\PC]{0,12}(&numbers=[0-9\\[\\]{}\",]{0,8}){0,3}") {
        let _ = message(&every_kind(), &Params::of_query(&form), &[]);
    }

    #[test]
    fn any_body_is_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for kind in [super::super::params::BodyType::Form, super::super::params::BodyType::Json] {
            let _ = message(&every_kind(), &Params::of_body(kind, &bytes), &[]);
        }
    }

    #[test]
    fn integers_are_read_exactly(value in any::<u64>()) {
        let expected = if value == 0 { String::new() } else { format!("uLarge={value}") };
        prop_assert_eq!(shown(&of_form(&format!("uLarge={value}")).unwrap()), expected.clone());
        prop_assert_eq!(shown(&of_json_text(&format!("{{\"uLarge\":{value}}}")).unwrap()), expected);
    }
}
