//! A browser that is driven by its developer tools, over a pair of pipes: opens pages, presses keys, reads what they show.
#![allow(dead_code, clippy::missing_panics_doc)]

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::quiet;
use super::process::Folder;

/// The time limit for each answer of a page.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A tab of a browser of its own.
pub struct Tab {
    /// For the files of a test. The pipes and the profile of the browser are there, too.
    pub folder: Folder,
    child: Child,
    commands: File,
    messages: BufReader<File>,
    session: String,
    sent: u64,
    /// Exceptions, and refused requests of the page. The test fails at its end if there is one.
    faults: Vec<String>,
}

impl Tab {
    /// Starts the browser.
    pub fn new(browser: &Path) -> Tab {
        let folder = Folder::new();
        let [commands, messages] = ["commands", "messages"].map(|name| folder.0.join(name));
        let made = Command::new("mkfifo").args([&commands, &messages]).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo");
        let quiet = quiet(browser, &folder.0.join("profile"));
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$@\" 3<\"$COMMANDS\" 4>\"$MESSAGES\"", "sh"]);
        shell.arg(quiet.get_program()).args(quiet.get_args());
        shell.arg("--remote-debugging-pipe");
        shell.env("COMMANDS", &commands).env("MESSAGES", &messages);
        let streams = [Stdio::null(), Stdio::null(), Stdio::null()];
        let [input, output, errors] = streams;
        let child = shell.stdin(input).stdout(output).stderr(errors).spawn();
        let write = OpenOptions::new().write(true).open(commands);
        let read = File::open(messages).expect("the pipe opens");
        let mut tab = Tab {
            folder,
            child: child.expect("the browser starts"),
            commands: write.expect("the pipe opens"),
            messages: BufReader::new(read),
            session: String::new(),
            sent: 0,
            faults: Vec::new(),
        };
        let target = tab.send("Target.createTarget", &json!({"url": "about:blank"}));
        tab.attach(&target["targetId"]);
        tab
    }

    /// Drives this target from now on.
    fn attach(&mut self, target: &Value) {
        let attach = json!({"targetId": target, "flatten": true});
        let attached = self.send("Target.attachToTarget", &attach);
        let session = attached["sessionId"].as_str();
        session.expect("a session").clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Log", "DOM"] {
            self.send(&format!("{domain}.enable"), &json!({}));
        }
    }

    /// Opens the page in a copy of this tab, with the storage of this one, and drives the copy. Returns the session of this
    /// tab, for [`Tab::go_back`].
    pub fn duplicate(&mut self) -> String {
        let before = self.send("Target.getTargets", &json!({}));
        let open = json!({"expression": "void window.open(location.href)", "userGesture": true});
        self.send("Runtime.evaluate", &open);
        let begun = Instant::now();
        loop {
            let now = self.send("Target.getTargets", &json!({}));
            let ids = |targets: &Value| {
                let all = targets["targetInfos"].as_array().cloned();
                all.into_iter().flatten().map(|it| it["targetId"].clone())
            };
            let known: Vec<Value> = ids(&before).collect();
            let mut pages = now["targetInfos"].as_array().into_iter().flatten();
            let opened = pages.find(|it| it["type"] == "page" && !known.contains(&it["targetId"]));
            if let Some(opened) = opened {
                let session = self.session.clone();
                self.attach(&opened["targetId"]);
                return session;
            }
            assert!(begun.elapsed() < PATIENCE, "no tab is opened");
        }
    }

    /// Closes this tab.
    pub fn close(&mut self) {
        self.send("Page.close", &json!({}));
    }

    /// Drives the tab of this session again.
    pub fn go_back(&mut self, session: String) {
        self.session = session;
        self.send("Page.bringToFront", &json!({}));
    }

    /// Sends a command and waits for its result.
    pub fn send(&mut self, method: &str, params: &Value) -> Value {
        let message = self.answer(method, params);
        assert!(message["error"].is_null(), "{method}: {message}");
        message["result"].clone()
    }

    /// Sends a command and waits for the answer, a result or an error.
    fn answer(&mut self, method: &str, params: &Value) -> Value {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let sent = self.commands.write_all(format!("{message}\0").as_bytes());
        sent.expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            let read = self.messages.read_until(0, &mut bytes);
            assert!(read.is_ok_and(|count| count > 0), "the browser has ended");
            bytes.pop();
            let message: Value = serde_json::from_slice(&bytes).expect("messages are JSON");
            if message["id"] == self.sent {
                return message;
            }
            let method = message["method"].as_str().unwrap_or_default();
            if matches!(method, "Runtime.exceptionThrown" | "Log.entryAdded") {
                self.faults.push(message["params"].to_string());
            }
        }
    }

    /// The value of an expression of the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let found = self.evaluate(expression);
        assert!(found["error"].is_null(), "{expression}: {found}");
        found["result"]["result"]["value"].clone()
    }

    /// The answer of the browser to an expression of the page. An exception fails the test.
    fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let found = self.answer("Runtime.evaluate", &params);
        let thrown = &found["result"]["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {found}");
        found
    }

    /// The same as text.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    }

    /// Waits until this holds. A page that is being left answers with an error; then the next page is asked.
    pub fn wait(&mut self, condition: &str) {
        let begun = Instant::now();
        let holds = format!("Promise.resolve({condition}).then((it) => !!it)");
        while self.evaluate(&holds)["result"]["result"]["value"] != true {
            assert!(begun.elapsed() < PATIENCE, "never true: {condition}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Opens a page and waits until it is ready in this way.
    pub fn open(&mut self, url: &str, ready: &str) {
        self.send("Page.navigate", &json!({"url": "about:blank"}));
        self.send("Page.navigate", &json!({"url": url}));
        self.wait(&format!(
            "document.documentElement?.dataset.ready === '{ready}'"
        ));
    }

    /// Puts text at the cursor, as typed or pasted.
    pub fn insert(&mut self, text: &str) {
        self.send("Input.insertText", &json!({"text": text}));
    }

    /// Drags the pointer from the middle of an element to the right by this distance, without releasing its button.
    pub fn drag(&mut self, element: &str, distance: f64) {
        let middle = "(({x, y, width, height}) => [x + width / 2, y + height / 2])";
        let place = self.value(&format!(
            "{middle}(({element}.scrollIntoView({{block: 'center'}}), {element}.getBoundingClientRect()))"
        ));
        let at = |part: usize| place[part].as_f64().expect("a number");
        for (kind, x) in [
            ("Pressed", 0.0),
            ("Moved", distance / 2.0),
            ("Moved", distance),
        ] {
            let params = json!({
                "type": format!("mouse{kind}"), "x": at(0) + x, "y": at(1), "button": "left", "buttons": 1, "clickCount": 1,
            });
            self.send("Input.dispatchMouseEvent", &params);
        }
    }

    /// Releases the button of the pointer.
    pub fn release(&mut self) {
        let params =
            json!({"type": "mouseReleased", "x": 0, "y": 0, "button": "left", "clickCount": 1});
        self.send("Input.dispatchMouseEvent", &params);
    }

    /// Gives the page a window of this size, on a telephone with a screen that feels fingers.
    pub fn resize(&mut self, width: u64, height: u64, is_mobile: bool) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile});
        self.send("Emulation.setDeviceMetricsOverride", &metrics);
        if is_mobile {
            let touch = json!({"enabled": true});
            self.send("Emulation.setTouchEmulationEnabled", &touch);
        }
    }

    /// The sides of an element in the window.
    pub fn sides(&mut self, element: &str) -> [f64; 4] {
        let sides = self.value(&format!(
            "(({{left, top, right, bottom}}) => [left, top, right, bottom])({element}.getBoundingClientRect())"
        ));
        [0, 1, 2, 3].map(|at| sides[at].as_f64().expect("a number"))
    }

    /// The middle of an element in the window, to which the page scrolls.
    pub fn middle(&mut self, element: &str) -> (f64, f64) {
        self.value(&format!("{element}.scrollIntoView({{block: 'center'}})"));
        let [left, top, right, bottom] = self.sides(element);
        (f64::midpoint(left, right), f64::midpoint(top, bottom))
    }

    /// Moves the pointer without a button.
    pub fn point_at(&mut self, (x, y): (f64, f64)) {
        let params = json!({"type": "mouseMoved", "x": x, "y": y});
        self.send("Input.dispatchMouseEvent", &params);
    }

    /// Clicks on the middle of an element.
    pub fn click_on(&mut self, element: &str) {
        let (x, y) = self.middle(element);
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.send("Input.dispatchMouseEvent", &params);
        }
    }

    /// Moves a finger from a place by a distance, without lifting it.
    pub fn swipe(&mut self, (x, y): (f64, f64), (right, down): (f64, f64)) {
        for step in 0..=10 {
            let kind = if step == 0 { "touchStart" } else { "touchMove" };
            let part = f64::from(step) / 10.0;
            let point = json!([{"x": x + part * right, "y": y + part * down}]);
            let params = json!({"type": kind, "touchPoints": point});
            self.send("Input.dispatchTouchEvent", &params);
        }
    }

    /// Lifts the finger.
    pub fn lift(&mut self) {
        let params = json!({"type": "touchEnd", "touchPoints": []});
        self.send("Input.dispatchTouchEvent", &params);
    }

    /// Presses a key; the control key is 2, the shift key 8.
    pub fn press(&mut self, key: &str, modifiers: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            letter => u32::from(letter.to_ascii_uppercase().as_bytes()[0]),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let params = json!({
                "type": kind, "key": key, "modifiers": modifiers, "text": text, "windowsVirtualKeyCode": code,
            });
            self.send("Input.dispatchKeyEvent", &params);
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let close = json!({"id": 0, "method": "Browser.close"});
        let _ = self.commands.write_all(format!("{close}\0").as_bytes());
        let _ = self.child.wait();
        if !std::thread::panicking() {
            assert_eq!(self.faults, Vec::<String>::new());
        }
    }
}
