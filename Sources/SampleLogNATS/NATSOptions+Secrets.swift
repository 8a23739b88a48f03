extension NATSOptions {
  /// Whether connections without TLS are refused.
  var usesTLS: Bool {
    requiresTLS || caFile != nil || certificateFile != nil || keyFile != nil
      || servers.contains { $0.lowercased().hasPrefix("tls://") }
  }

  /// The servers' addresses without user names and passwords, for errors.
  var address: String { servers.map { Self.split($0).public }.joined(separator: ", ") }

  /// Returns a text of the library without the passwords and tokens of these options.
  func redacted(_ text: String) -> String {
    var secrets = [credentials.secret, readSecret].compactMap(\.self)
    for user in servers.compactMap({ Self.split($0).user }) {
      secrets += [user] + user.split(separator: ":").dropFirst().map { String($0) }
    }
    return secrets.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
      .reduce(text) { $0.replacing($1, with: "…") }
  }

  /// Splits an address into the part before its last @, without the scheme, and the other parts.
  private static func split(_ address: String) -> (user: String?, public: String) {
    guard let at = address.lastIndex(of: "@") else { return (nil, address) }
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    guard start <= at else { return (nil, address) }
    let host = address[address.index(after: at)...]
    return (String(address[start..<at]), "\(address[..<start])\(host)")
  }

  /// Whether an address contains a user name, a password or a token.
  public static func hasSecret(_ address: String) -> Bool { split(address).user != nil }
}

extension NATSOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The options without passwords and tokens.
  public var description: String {
    let values = children.map { "\($0.label): \($0.value)" }
    return "NATSOptions(\(values.joined(separator: ", ")))"
  }

  /// The options without passwords and tokens.
  public var debugDescription: String { description }

  /// A mirror of the options without passwords and tokens.
  public var customMirror: Mirror {
    Mirror(self, children: children.map { ($0.label, $0.value) }, displayStyle: .struct)
  }

  private var children: [(label: String, value: Any)] {
    [
      ("servers", servers.map { Self.split($0).public }), ("requiresTLS", requiresTLS),
      ("caFile", caFile ?? "-"), ("certificateFile", certificateFile ?? "-"),
      ("keyFile", keyFile ?? "-"), ("verifiesServers", verifiesServers),
      ("credentials", credentials), ("replicaCount", replicaCount), ("byteLimit", byteLimit),
      ("answerTimeout", answerTimeout), ("makesStream", makesStream),
      ("requiresStream", requiresStream),
    ]
  }
}
