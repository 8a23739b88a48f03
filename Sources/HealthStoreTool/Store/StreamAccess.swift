import Foundation
import SampleLogNATS

/// The options and environment variables for connecting to NATS servers.
///
/// Other users of the machine can read the arguments of a process, so no argument is a secret. The
/// names are those of the `nats` command.
enum StreamAccess {
  static let options: [CommandUsage.Option] = [
    .init(
      name: "--server", value: "URL",
      help: "A NATS server; default: NATS_URL, or nats://127.0.0.1:4222. Name each server of a "
        + "cluster. Addresses that begin with tls:// turn on TLS.",
      isRepeatable: true),
    .init(
      name: "--tlsca", value: "FILE",
      help: "The certificates of the authorities to trust; default: NATS_CA, or the system's."),
    .init(
      name: "--tlscert", value: "FILE", help: "The client's certificate; default: NATS_CERT."),
    .init(
      name: "--tlskey", value: "FILE", help: "The private key of --tlscert; default: NATS_KEY."),
    .init(
      name: "--creds", value: "FILE",
      help: "A file with a user's JWT and seed; default: NATS_CREDS."),
    .init(
      name: "--user", value: "NAME",
      help: "The user whose password is in --password-file; default: NATS_USER."),
    .init(
      name: "--password-file", value: "FILE",
      help: "A file with the password of --user, which is read again for each connection; "
        + "default: the password in NATS_PASSWORD."),
    .init(
      name: "--token-file", value: "FILE",
      help: "A file with a token, which is read again for each connection; default: the token "
        + "in NATS_TOKEN."),
  ]

  /// The environment variables, for the manual page.
  static let variables: [(name: String, help: String)] = [
    ("NATS_URL", "The addresses of NATS servers, separated by commas."),
    ("NATS_CA, NATS_CERT, NATS_KEY", "Files for TLS, if the options for them are absent."),
    (
      "NATS_CREDS, NATS_USER, NATS_PASSWORD, NATS_TOKEN",
      "Credentials for NATS servers, if the options for them are absent."
    ),
  ]

  /// Returns whether arguments or the environment name a server.
  static func isNamed(
    _ arguments: ParsedArguments,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    arguments.has("--server") || environment["NATS_URL"].map { !$0.isEmpty } == true
  }

  /// Returns connection options as described by arguments and the environment.
  static func choice(
    _ arguments: ParsedArguments,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UsageError) -> NATSOptions {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    var options = NATSOptions()
    let servers = arguments.all("--server")
    if servers.contains("") { throw arguments.error("The value of the option --server is empty") }
    if servers.contains(where: NATSOptions.hasSecret) {
      throw arguments.error(
        "Other users of this machine can read the password after --server; use --user with "
          + "--password-file, or NATS_USER with NATS_PASSWORD")
    }
    if !servers.isEmpty {
      options.servers = servers
    } else if let list = variable("NATS_URL") {
      options.servers = list.split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    options.caFile = arguments["--tlsca"] ?? variable("NATS_CA")
    options.certificateFile = arguments["--tlscert"] ?? variable("NATS_CERT")
    options.keyFile = arguments["--tlskey"] ?? variable("NATS_KEY")
    if (options.certificateFile == nil) != (options.keyFile == nil) {
      throw arguments.error(
        "A client's certificate needs its key: --tlscert with --tlskey, or NATS_CERT with NATS_KEY")
    }
    let named = ["--creds", "--user", "--password-file", "--token-file"].filter(arguments.has)
    options.credentials =
      named.isEmpty
      ? try credentials(
        arguments, file: variable("NATS_CREDS"), user: variable("NATS_USER"),
        password: variable("NATS_PASSWORD").map { .text($0) },
        token: variable("NATS_TOKEN").map { .text($0) })
      : try credentials(
        arguments, file: arguments["--creds"], user: arguments["--user"],
        password: try secret(arguments, "--password-file")
          ?? (arguments.has("--user") ? variable("NATS_PASSWORD").map { .text($0) } : nil),
        token: try secret(arguments, "--token-file"))
    return options
  }

  /// A password or token, or the path of a file with it.
  private enum Secret {
    case text(String)
    case file(String)
  }

  private static func credentials(
    _ arguments: ParsedArguments, file: String?, user: String?, password: Secret?, token: Secret?
  ) throws(UsageError) -> NATSCredentials {
    let count = (file == nil ? 0 : 1) + (token == nil ? 0 : 1)
    guard count + (user == nil && password == nil ? 0 : 1) <= 1 else {
      throw arguments.error(
        "A credentials file, a user and a token exclude each other, as options and as variables")
    }
    if let file { return .file(file) }
    switch token {
    case .text(let token)?: return .token(token)
    case .file(let path)?: return .tokenFile(path)
    case nil: break
    }
    switch (user, password) {
    case (nil, nil): return .none
    case (let user?, .text(let password)?): return .user(user, password: password)
    case (let user?, .file(let path)?): return .userFile(user, passwordFile: path)
    default:
      throw arguments.error(
        "A user and a password are needed together: --user with --password-file, or NATS_USER with "
          + "NATS_PASSWORD")
    }
  }

  /// Returns the path of the file that an option names, which is read again at each connection.
  ///
  /// A pipe can be read only once, so its content is returned, without its last line feed.
  private static func secret(
    _ arguments: ParsedArguments, _ name: String
  ) throws(UsageError) -> Secret? {
    guard let path = arguments[name] else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw arguments.error("The file \(path) after \(name) cannot be read")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return .file(path) }
    return .text(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }
}
