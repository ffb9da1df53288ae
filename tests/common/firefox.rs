//! Firefox, driven by its Marionette: a connection over which each message has its length before it.
#![allow(dead_code, clippy::missing_panics_doc)]

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::devtools::PATIENCE;
use super::process::Folder;

/// The browser chooses its port, and finds no network.
const PREFERENCES: &str = "\
user_pref('marionette.port', 0);
user_pref('network.proxy.type', 1);
user_pref('network.proxy.socks', '127.0.0.1');
user_pref('network.proxy.socks_port', 9);
";

/// A tab of a Firefox of its own, with the methods of `Tab` of `devtools`.
pub struct FirefoxTab {
    child: Child,
    stream: BufReader<TcpStream>,
    sent: u64,
}

/// The connection to a browser, once it has written its port into its profile.
fn connection(profile: &Path) -> TcpStream {
    let begun = Instant::now();
    loop {
        let port = fs::read_to_string(profile.join("MarionetteActivePort"));
        let port = port.ok().and_then(|port| port.parse::<u16>().ok());
        if let Some(Ok(stream)) = port.map(|port| TcpStream::connect(("127.0.0.1", port))) {
            return stream;
        }
        assert!(begun.elapsed() < PATIENCE, "Firefox does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
}

impl FirefoxTab {
    /// Starts the browser. Its profile is in the folder.
    pub fn new(browser: &Path, folder: &Folder) -> FirefoxTab {
        let profile = folder.0.join("firefox");
        fs::create_dir_all(&profile).expect("a folder");
        fs::write(profile.join("user.js"), PREFERENCES).expect("the preferences");
        let mut command = Command::new(browser);
        command.args(["--headless", "--marionette", "--no-remote", "--profile"]);
        command.arg(&profile).env("HOME", &folder.0);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut tab = FirefoxTab {
            child: command.spawn().expect("the browser starts"),
            stream: BufReader::new(connection(&profile)),
            sent: 0,
        };
        tab.message();
        tab.send("WebDriver:NewSession", &json!({}));
        tab
    }

    /// The next message of the browser.
    fn message(&mut self) -> Value {
        let mut length = Vec::new();
        let read = self.stream.read_until(b':', &mut length);
        length.truncate(read.expect("Firefox answers") - 1);
        let length = String::from_utf8_lossy(&length).parse().expect("a length");
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).expect("Firefox answers");
        serde_json::from_slice(&bytes).expect("messages are JSON")
    }

    /// Sends a command and waits for its answer, which ends with an error and a result.
    pub fn send(&mut self, command: &str, params: &Value) -> [Value; 4] {
        self.sent += 1;
        let message = json!([0, self.sent, command, params]).to_string();
        let sent = write!(self.stream.get_mut(), "{}:{message}", message.len());
        sent.expect("Firefox listens");
        serde_json::from_value(self.message()).expect("an answer has four parts")
    }

    fn evaluate(&mut self, expression: &str) -> [Value; 4] {
        let script = json!({"script": format!("return ({expression})"), "args": []});
        self.send("WebDriver:ExecuteScript", &script)
    }

    /// The value of an expression of the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let [_, _, error, result] = self.evaluate(expression);
        assert!(error.is_null(), "{expression}: {error}");
        result["value"].clone()
    }

    /// The value of an expression that is a text.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().expect("a text").to_owned()
    }

    /// Waits until this holds. It never holds while a page is being left.
    pub fn wait(&mut self, condition: &str) {
        let begun = Instant::now();
        while self.evaluate(&format!("!!({condition})"))[3]["value"] != true {
            assert!(begun.elapsed() < PATIENCE, "never true: {condition}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Opens a page and waits until it is ready in this way.
    pub fn open(&mut self, url: &str, ready: &str) {
        for url in ["about:blank", url] {
            self.send("WebDriver:Navigate", &json!({"url": url}));
        }
        self.wait(&format!(
            "document.documentElement?.dataset.ready === '{ready}'"
        ));
    }

    /// Types a text, character by character.
    pub fn insert(&mut self, text: &str) {
        for sign in text.chars() {
            self.press(&sign.to_string(), &[]);
        }
    }

    /// Presses a key, named by its character in the standard of `WebDriver`, while others are held down.
    pub fn press(&mut self, key: &str, held: &[&str]) {
        let keys: Vec<&str> = held.iter().copied().chain([key]).collect();
        let action = |kind: &str, key: &str| json!({"type": kind, "value": key});
        let down = keys.iter().map(|key| action("keyDown", key));
        let up = keys.iter().rev().map(|key| action("keyUp", key));
        let actions: Vec<Value> = down.chain(up).collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.send("WebDriver:PerformActions", &json!({"actions": [keyboard]}));
    }
}

impl Drop for FirefoxTab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
