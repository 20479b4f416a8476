//! `sahm-activity import`, as operators run it beside the service.

use std::{path::Path, process::Command};

use sahm_activity::store::ActivityStore;
use sahm_chassis::settings::DatabaseUrl;
use sahm_testkit::kill::own_settings;

/// Runs the command; its exit status, and what it said.
fn import(folder: &Path, files: &[&Path]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-activity"));
    command.arg("import").args(files).env("SAHM_DATA_DIR", folder);
    own_settings(&mut command);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[tokio::test]
async fn campaigns_come_in_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("seed");
    let text = std::fs::read_to_string(seed.join("901.json")).unwrap();
    std::fs::write(path("77.json"), text.replace("\"id\": 901", "\"id\": 77")).unwrap();
    std::fs::write(path("wrong.json"), text.replace("\"gold\"", "\"pink\"")).unwrap();

    let (done, said) = import(folder.path(), &[&path("77.json"), &path("wrong.json")]);
    assert!(!done && said.contains("wrong.json: themes.0: tone"), "{said}");
    let (done, said) = import(folder.path(), &[&path("77.json"), &seed.join("shares.json")]);
    assert_eq!(
        (done, said.as_str()),
        (true, "changed: activity:77, activity:list, activity:share\n")
    );
    let (done, said) = import(folder.path(), &[&path("77.json")]);
    assert_eq!((done, said.as_str()), (true, "nothing to change\n"));
    for files in [vec![], vec![path("none.json")]] {
        let files = files.iter().map(AsRef::as_ref).collect::<Vec<&Path>>();
        assert!(!import(folder.path(), &files).0);
    }
    let store = ActivityStore::open(&DatabaseUrl::file(path("activity.sqlite"))).await.unwrap();
    let ids = store.campaigns().await.unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids, [77]);
}
