//! Bytes as text, for a picture inside a page: base64 as in RFC 4648.
//!
//! It is only written, so nothing here reads it.

const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the text for these bytes.
pub(crate) fn write(bytes: &[u8], out: &mut String) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * place)) as usize % SIGNS.len()];
            out.push(if place <= group.len() {
                sign as char
            } else {
                '='
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn the_examples_of_the_standard() {
        for (bytes, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = String::new();
            write(bytes.as_bytes(), &mut out);
            assert_eq!(out, expected);
        }
        let mut out = String::new();
        write(&[0xfb, 0xff, 0xfe], &mut out);
        assert_eq!(out, "+//+");
    }
}
