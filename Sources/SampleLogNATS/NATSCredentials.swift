/// The credentials with which a client authenticates at NATS servers.
///
/// Descriptions and reflections contain neither passwords nor tokens.
public enum NATSCredentials: Hashable, Sendable {
  /// No credentials, apart from a client certificate if the options name one.
  case none
  /// A user name and a password.
  case user(String, password: String)
  /// A token.
  case token(String)
  /// The path of a file with a user's JWT and seed, as `nsc` generates it.
  ///
  /// The file is read whenever a connection is made, so it can be replaced before the JWT expires.
  case file(String)

  /// The secret, or nil if a file or nothing contains it.
  var secret: String? {
    switch self {
    case .none, .file: nil
    case .user(_, let password): password
    case .token(let token): token
    }
  }
}

extension NATSCredentials: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The credentials without the secret, as part of a sentence.
  public var description: String {
    switch self {
    case .none: "a client without credentials"
    case .user(let name, _): "the user \(name) with its password"
    case .token: "the token"
    case .file(let path): "the credentials in \(path)"
    }
  }

  /// The credentials without the secret.
  public var debugDescription: String { description }

  /// A mirror without children, because these would contain the secret.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
