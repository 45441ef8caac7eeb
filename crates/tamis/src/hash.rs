//! Hashes and identifiers.

use sha2::{Digest, Sha256};

/// The SHA-256 hash of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// A UUID that is made from a text: the same text has the same one. Version 8 of RFC 9562 leaves the bits to us.
pub fn uuid(text: &str) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(text.as_bytes()).to_vec();
    bytes.truncate(16);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes);
    let groups = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    groups.join("-")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
        assert_eq!(uuid(""), "e3b0c442-98fc-8c14-9afb-f4c8996fb924");
    }
}
