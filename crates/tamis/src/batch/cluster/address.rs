//! Where a scheduler is.

use crate::refusal::Refusal;
use std::net::{IpAddr, ToSocketAddrs};

/// What is to be said about an address. Whoever can reach a scheduler without TLS can run anything on its workers.
pub fn warning(address: &str) -> Result<Option<String>, Refusal> {
    let wrong = || Refusal::usage(format!("{address}: tcp://HOST:PORT or tls://HOST:PORT is expected"));
    let (protocol, place) = address.split_once("://").ok_or_else(wrong)?;
    let (host, port) = place.rsplit_once(':').ok_or_else(wrong)?;
    if !["tcp", "tls"].contains(&protocol) || host.is_empty() || port.parse::<u16>().is_err() {
        return Err(wrong());
    }
    // A name that leads nowhere is told when it is connected to.
    let found = place.to_socket_addrs().into_iter().flatten().map(|address| address.ip());
    let public = protocol == "tcp" && found.into_iter().any(is_public);
    Ok(public.then(|| {
        format!("{host} is a public address, and the connection is neither encrypted nor authenticated: use tls:// with --tls-ca, --tls-cert and --tls-key")
    }))
}

/// Whether everybody can reach an address.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            let shared = a == 100 && b & 0xc0 == 64;
            !(v4.is_loopback() || v4.is_private() || v4.is_link_local() || v4.is_unspecified() || shared)
        }
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => is_public(IpAddr::V4(v4)),
            None => {
                !(v6.is_loopback()
                    || v6.is_unique_local()
                    || v6.is_unicast_link_local()
                    || v6.is_unspecified())
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_without_tls_are_told() {
        for (address, warned) in [
            ("tcp://127.0.0.1:8786", false),
            ("tcp://10.1.2.3:8786", false),
            ("tcp://192.168.7.1:8786", false),
            ("tcp://100.64.0.1:8786", false),
            ("tcp://8.8.8.8:8786", true),
            ("tls://8.8.8.8:8786", false),
            ("tcp://[::1]:8786", false),
            ("tcp://[2001:db8::1]:8786", true),
            ("tcp://[fd00::1]:8786", false),
            ("tcp://[::ffff:8.8.8.8]:8786", true),
        ] {
            let warning = warning(address).ok().expect("it is an address");
            assert_eq!(warning.is_some(), warned, "{address}: {warning:?}");
        }
        for address in
            ["localhost:8786", "tcp://localhost", "http://localhost:1", "tcp://:1", "tcp://x:99999"]
        {
            assert!(warning(address).is_err(), "{address}");
        }
    }
}
