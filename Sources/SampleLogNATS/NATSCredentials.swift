internal import SampleLog

/// The credentials with which a client authenticates at NATS servers.
///
/// Descriptions and reflections contain neither passwords nor tokens.
public enum NATSCredentials: Hashable, Sendable {
  /// No credentials, apart from a client certificate if the options name one.
  case none
  /// A user name and a password.
  case user(String, password: String)
  /// A user name and the path of a file with the password.
  ///
  /// The file is read whenever a connection is made, so the password can be changed while a process
  /// runs. A line feed at its end is not part of the password.
  case userFile(String, passwordFile: String)
  /// A token.
  case token(String)
  /// The path of a file with a token.
  ///
  /// The file is read whenever a connection is made. A line feed at its end is not part of the
  /// token.
  case tokenFile(String)
  /// The path of a file with a user's JWT and seed, as `nsc` generates it.
  ///
  /// The file is read whenever a connection is made, so it can be replaced before the JWT expires.
  case file(String)

  /// The secret, or nil if a file or nothing contains it.
  var secret: String? {
    switch self {
    case .none, .file, .userFile, .tokenFile: nil
    case .user(_, let password): password
    case .token(let token): token
    }
  }

  /// Reads the password or token from its file.
  ///
  /// - Returns: The secret, or nil if no file contains a password or token.
  /// - Throws: ``NATSError/unusableFile(path:reason:)``.
  func readSecret() throws -> String? {
    switch self {
    case .none, .user, .token, .file: return nil
    case .userFile(_, let path), .tokenFile(let path):
      guard let file = try? PosixFileSystem().open(path, .read),
        let bytes = try? file.bytes(file.size(), at: 0),
        let text = String(validating: bytes, as: UTF8.self)
      else {
        throw NATSError.unusableFile(path: path, reason: "it cannot be read, or is not UTF-8")
      }
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
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
    case .userFile(let name, let path): "the user \(name) with the password in \(path)"
    case .token: "the token"
    case .tokenFile(let path): "the token in \(path)"
    case .file(let path): "the credentials in \(path)"
    }
  }

  /// The credentials without the secret.
  public var debugDescription: String { description }

  /// A mirror without children, because these would contain the secret.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
