import Foundation

/// An operator, an account and a user, whose JWTs are signed with openssl.
struct NATSKeys {
  private enum Role: UInt8 {
    case account = 0
    case operator_ = 112
    case user = 160
  }

  private struct Pair {
    var role: Role
    var name: String
    var seed: [UInt8]
    var text: String
  }

  private let certificates: Certificates
  private let chief: Pair
  private let account: Pair
  /// The account that JetStream needs for itself.
  private let system: Pair
  private let user: Pair

  init(_ certificates: Certificates) throws {
    self.certificates = certificates
    chief = try Self.pair(.operator_, "operator", certificates)
    account = try Self.pair(.account, "account", certificates)
    system = try Self.pair(.account, "system", certificates)
    user = try Self.pair(.user, "user", certificates)
  }

  /// Returns a server's configuration that trusts the operator and knows the account.
  func configuration() throws -> String {
    let base = ["subs", "data", "payload", "imports", "exports", "conn", "leaf"]
    let stored = base + ["mem_storage", "disk_storage", "streams", "consumer"]
    let jwts = try [(account, stored), (system, base)].map { account, limits in
      let numbers = limits.map { #""\#($0)":-1"# }.joined(separator: ",")
      return try jwt(
        account, by: chief,
        #"{"type":"account","version":2,"limits":{\#(numbers),"wildcards":true}}"#)
    }
    return """
      operator: \(try jwt(chief, by: chief, #"{"type":"operator","version":2}"#))
      system_account: \(system.text)
      resolver: MEMORY
      resolver_preload: { \(account.text): \(jwts[0]), \(system.text): \(jwts[1]) }

      """
  }

  /// Writes a credentials file of the user.
  func write(_ file: URL, expiringIn seconds: Double) throws {
    let claims = #"{"type":"user","version":2,"pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1}"#
    let expiry = Int((Date().timeIntervalSince1970 + seconds).rounded(.up))
    let jwt = try jwt(user, by: account, claims, expiry: expiry)
    let text = """
      -----BEGIN NATS USER JWT-----
      \(jwt)
      ------END NATS USER JWT------

      -----BEGIN USER NKEY SEED-----
      \(seed)
      ------END USER NKEY SEED------

      """
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  /// The seed of the user, which must be kept secret.
  var seed: String {
    Self.text([144 | user.role.rawValue >> 5, (user.role.rawValue & 31) << 3] + user.seed)
  }

  private func jwt(
    _ subject: Pair, by issuer: Pair, _ claims: String, expiry: Int? = nil
  ) throws -> String {
    let header = Self.url(Data(#"{"typ":"JWT","alg":"ed25519-nkey"}"#.utf8))
    let time = expiry.map { #""exp":\#($0),"# } ?? ""
    let body =
      #"{"jti":"test","iat":1700000000,\#(time)"iss":"\#(issuer.text)","name":"test","#
      + #""sub":"\#(subject.text)","nats":\#(claims)}"#
    let signed = header + "." + Self.url(Data(body.utf8))
    try Data(signed.utf8).write(to: certificates.folder.appending(path: "signed"))
    let signature = try certificates.openssl(
      ["pkeyutl", "-sign", "-rawin", "-inkey", "\(issuer.name).nkey", "-in", "signed"])
    return signed + "." + Self.url(signature)
  }

  private static func pair(
    _ role: Role, _ name: String, _ certificates: Certificates
  ) throws -> Pair {
    try certificates.openssl(["genpkey", "-algorithm", "ed25519", "-out", "\(name).nkey"])
    let secret = try certificates.openssl(["pkey", "-in", "\(name).nkey", "-outform", "DER"])
    let shared = try certificates.openssl(
      ["pkey", "-in", "\(name).nkey", "-pubout", "-outform", "DER"])
    // Both encodings end with the 32 bytes of the key.
    return Pair(
      role: role, name: name, seed: [UInt8](secret.suffix(32)),
      text: text([role.rawValue] + shared.suffix(32)))
  }

  /// Returns the text of a key: base 32 of its bytes and their CRC-16.
  private static func text(_ bytes: [UInt8]) -> String {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (text, bits, count) = ("", 0, 0)
    for byte in bytes + [UInt8(sum & 255), UInt8(sum >> 8)] {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(letters[bits >> count & 31])
      }
      bits &= 1 << count - 1
    }
    if count > 0 { text.append(letters[bits << (5 - count) & 31]) }
    return text
  }

  private static func url(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
