//! `sahm-activity import` during a running service.

use std::{path::Path, process::Command};

use sahm_activity::store::ActivityStore;
use sahm_chassis::settings::DatabaseUrl;
use sahm_testkit::kill::own_settings;

/// Runs the command and returns its success and output.
fn import(folder: &Path, files: &[&Path]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-activity"));
    command.arg("import").args(files).env("SAHM_DATA_DIR", folder);
    own_settings(&mut command);
    let output = command.output().unwrap();
    let message = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(message).unwrap())
}

#[tokio::test]
async fn import_is_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("seed");
    let text = std::fs::read_to_string(seed.join("901.json")).unwrap();
    std::fs::write(path("77.json"), text.replace("\"id\": 901", "\"id\": 77")).unwrap();
    std::fs::write(path("wrong.json"), text.replace("\"gold\"", "\"pink\"")).unwrap();

    let (done, message) = import(folder.path(), &[&path("77.json"), &path("wrong.json")]);
    assert!(!done && message.contains("wrong.json: themes.0: tone"), "{message}");
    let (done, message) = import(folder.path(), &[&path("77.json"), &seed.join("shares.json")]);
    assert_eq!(
        (done, message.as_str()),
        (true, "changed: activity:77, activity:list, activity:share\n")
    );
    let (done, message) = import(folder.path(), &[&path("77.json")]);
    assert_eq!((done, message.as_str()), (true, "nothing to change\n"));
    for files in [vec![], vec![path("none.json")]] {
        let files = files.iter().map(AsRef::as_ref).collect::<Vec<&Path>>();
        assert!(!import(folder.path(), &files).0);
    }
    let store = ActivityStore::open(&DatabaseUrl::file(path("activity.sqlite"))).await.unwrap();
    let ids = store.campaigns().await.unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids, [77]);
}

#[tokio::test]
async fn import_of_a_folder_imports_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("seed");
    let campaigns = folder.path().join("campaigns");
    std::fs::create_dir(&campaigns).unwrap();
    for name in ["901.json", "shares.json"] {
        std::fs::copy(seed.join(name), campaigns.join(name)).unwrap();
    }

    let (done, message) = import(folder.path(), &[&campaigns]);
    assert_eq!(
        (done, message.as_str()),
        (true, "changed: activity:901, activity:list, activity:share\n")
    );
    let (done, message) = import(folder.path(), &[&campaigns.join("none")]);
    assert!(!done && message.contains("campaigns/none: "), "{message}");
}
