//! Redirects to the apps beside the site, by platform.

use serde_json::json;

use crate::rules::kit::{APP, PC, PHONE, Site};

#[tokio::test]
async fn promotion_redirect_depends_on_the_platform() {
    let site = Site::start(&[]).await;
    const TO: &str = "/activitiesr/pre-activity-new";
    for (path, agent, cookie, status, location) in [
        ("/activity/seed?theme=0", PC, "", 302, "/activity/pre-activity-new?theme=0".to_owned()),
        ("/ar-sa/activity/seed", PC, "", 302, "/ar-sa/activity/pre-activity-new".to_owned()),
        (
            "/activity/seed?theme=0",
            PHONE,
            "lang=ar-sa; AGENTID=7",
            302,
            format!("{TO}?_scnl=7&lang=ar-SA&activityId=6666&urlType=1&theme=0"),
        ),
        (
            "/en-us/activity/pre-activity-new?_scnl=5&activityId=901",
            APP,
            "AGENTID=7",
            302,
            format!("{TO}?_scnl=5&lang=en-US&urlType=1&activityId=901"),
        ),
        (
            "/ar-sa/education/course/7/6",
            APP,
            "",
            302,
            "/feature/college/course/detail?courseId=7&categoryId=6&_app_fullScreen=y&lang=ar-SA"
                .to_owned(),
        ),
        ("/feature/nothing?lang=ar-SA", PHONE, "", 404, String::new()),
        ("/feature/x?lang=ar&a=1", PC, "", 404, String::new()),
        ("/feature/x/?lang=ar&a=1", PC, "", 301, "/feature/x?lang=ar&a=1".to_owned()),
        ("/feature//x", APP, "", 404, String::new()),
        ("/feature/%5cx", APP, "", 404, String::new()),
    ] {
        let response = site.get(path, &[("user-agent", agent), ("cookie", cookie)]).await;
        assert_eq!((response.status, response.header("location")), (status, &*location), "{path}");
        if status == 302 {
            assert_eq!(response.header("cache-control"), "no-store");
            let data = format!("/_data{path}");
            let data = site.get(&data, &[("user-agent", agent), ("cookie", cookie)]).await;
            assert_eq!((data.status, data.json()), (200, json!({ "redirect": location })));
        }
    }
}
