//! The system's keyring as a source of secrets: on Linux the kernel's own, `keyctl add user …`.
//!
//! It is asked by system calls and wants no service to run, so that it is there on servers too.
//! Where the system has none, or a sandbox forbids the calls, that is told.

/// Values kept by the system, each under a description.
pub trait Keyring {
    /// The value of a key; why there is none, in words without the value.
    fn value(&self, description: &str) -> Result<String, String>;
}

/// The keyring this system has.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemKeyring;

impl Keyring for SystemKeyring {
    fn value(&self, description: &str) -> Result<String, String> {
        use linux_keyutils::{KeyError, KeyRing, KeyRingIdentifier};
        let mut problem = None;
        for ring in
            [KeyRingIdentifier::Session, KeyRingIdentifier::UserSession, KeyRingIdentifier::User]
        {
            let found = KeyRing::from_special_id(ring, false)
                .and_then(|ring| ring.search(description))
                .and_then(|key| key.read_to_vec());
            match found {
                Ok(bytes) => return text(bytes),
                Err(KeyError::KeyDoesNotExist | KeyError::KeyringDoesNotExist) => {}
                Err(error) => problem = Some(error),
            }
        }
        Err(match problem {
            None => format!("the kernel's keyring has no user key '{description}'"),
            // Keys of `@u` may be read only by whoever has them linked to the session's keyring.
            Some(KeyError::AccessDenied) => format!(
                "the kernel's keyring does not let us read '{description}': link it with \
                 'keyctl link @u @s', or leave the sandbox that forbids keyrings"
            ),
            Some(error) => format!("the kernel's keyring cannot be asked: {error}"),
        })
    }
}

/// The payload as text. `keyctl padd` takes over the line break at the end of what it reads.
fn text(bytes: Vec<u8>) -> Result<String, String> {
    let mut value = String::from_utf8(bytes).map_err(|_| "the key holds no text".to_owned())?;
    if value.ends_with('\n') {
        value.pop();
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use linux_keyutils::{KeyRing, KeyRingIdentifier};

    use super::*;

    /// With the kernel's own keyring; where a sandbox forbids that, what is told of it.
    #[test]
    fn a_key_of_the_kernel_is_read_by_its_description() {
        let description = format!("btcp:test-{}", std::process::id());
        let ring = KeyRing::from_special_id(KeyRingIdentifier::Session, false);
        let added =
            ring.and_then(|ring| Ok((ring, ring.add_key(&description, b"from the ring\n")?)));
        let Ok((ring, key)) = added else {
            let told = SystemKeyring.value(&description).unwrap_err();
            assert!(told.starts_with("the kernel's keyring "), "{told}");
            return;
        };
        assert_eq!(SystemKeyring.value(&description).unwrap(), "from the ring");
        ring.unlink_key(key).unwrap();
        let told = SystemKeyring.value(&description).unwrap_err();
        assert_eq!(told, format!("the kernel's keyring has no user key '{description}'"));
    }

    #[test]
    fn what_is_no_text_is_told() {
        assert_eq!(text(b"key\n\n".to_vec()).unwrap(), "key\n");
        assert!(text(vec![0xff, 0xfe]).is_err());
    }
}
