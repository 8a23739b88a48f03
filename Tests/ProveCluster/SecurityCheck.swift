import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// Checks TLS and authentication with a real server, and that no secret is disclosed.
final class SecurityCheck {
  static let password = "pass-7f31"
  static let token = "token-51c9"
  /// Users of whom one may do everything, one nothing, and one all but lease and report.
  static func users(_ password: String = password) -> String {
    """
    authorization { users: [
      { user: ada, password: "\(password)" }
      { user: bob, password: "\(password)", permissions: { publish: "none", subscribe: "none" } }
      { user: cyd, password: "\(password)", permissions: {
        publish: ["HS.>", "$JS.API.>"], subscribe: "_INBOX.>"
      } }
    ] }

    """
  }

  private let folder: URL
  private let certificates: Certificates
  private let servers: NATSServers
  /// All errors and events, none of which may contain a secret.
  private let said = Locked("")

  init(folder: URL) throws {
    self.folder = folder.appending(path: "security")
    certificates = try Certificates(in: self.folder)
    servers = try NATSServers(
      1, in: self.folder, executable: NATSServers.executable ?? "", scheme: "tls",
      security: certificates.tls() + Self.users())
  }

  func run() throws {
    try valid()
    try refusals()
    try denials()
    try renewal()
    try passwordFile()
    for (name, security) in [("expired-server", "expired"), ("elsewhere", "mismatch")] {
      try restart(certificates.tls(name, verifies: false) + Self.users())
      try expectUntrusted(options(), because: security)
      var careless = options()
      careless.verifiesServers = false
      _ = try connect(careless)
    }
    try restart("authorization { token: \(Self.token) }")
    try expectUntrusted(options(.token(Self.token)), because: "does not offer TLS")
    try tokens()
    let keys = try NATSKeys(certificates)
    try restart(certificates.tls(verifies: false) + keys.configuration())
    try files(keys)
    let text = said.withLock { $0 }
    for secret in [Self.password, "another-7a20", Self.token, keys.seed] {
      try expect(!text.contains(secret), "a secret was disclosed in:\n\(text)")
    }
  }

  private func valid() throws {
    let stream = try connect(options())
    try expect(try stream.append([1], expecting: 0) == .accepted(1), "nothing was accepted")
    try expect(try stream.read(from: 1, limit: 1).first?.bytes == [1], "nothing was read")
    try expect(try stream.lease(holder: "one", seconds: 4), "there is no lease")
    try stream.report([1], from: "one")
    try expect(try stream.reports() == ["one": [1]], "there is no report")
  }

  private func refusals() throws {
    var strange = options()
    strange.caFile = certificates.certificate("stranger")
    try expectUntrusted(strange, because: "issuer")
    strange.caFile = nil
    try expectUntrusted(strange, because: "issuer")
    for credentials in [
      NATSCredentials.none, .user("ada", password: "pass"), .user("eve", password: Self.password),
      .token(Self.token),
    ] {
      try expectUnauthorized(options(credentials), naming: "\(credentials)")
    }
    var addressed = options(.none)
    addressed.servers = [servers.addresses[0].replacing("//", with: "//eve:\(Self.password)@")]
    try expectUnauthorized(addressed, naming: "user in its address")
    var bare = options()
    (bare.certificateFile, bare.keyFile) = (nil, nil)
    try expectUnauthorized(bare, naming: "without a certificate")
    let expired = options(client: "expired-client")
    try expectUnauthorized(expired, naming: certificates.certificate("expired-client"))
    var mismatched = options()
    mismatched.keyFile = certificates.key("server")
    try expectUnusable(mismatched, certificates.certificate("client"))
    var absent = options()
    absent.caFile = "/absent/ca.pem"
    try expectUnusable(absent, "/absent/ca.pem")
    try expectUnusable(options(.file("/absent/user.creds")), "/absent/user.creds")
    do {
      _ = try connect(options(.user("bob", password: Self.password)))
      throw Breach(description: "a user without permissions made a stream")
    } catch let error as NATSError {
      note(error)
      guard case .refused(_, let reason) = error, reason.contains("Permissions") else {
        throw error
      }
    }
  }

  /// A user who may publish, but neither lease nor report, is told so.
  private func denials() throws {
    let path = folder.appending(path: "denied").path
    let storeID = try Database(path: path).storeID
    let transport = try connect(options(.user("cyd", password: Self.password)), to: storeID)
    let isDenied = { (event: StoreEvent.Kind, service: StoreEvent.StreamService) in
      guard case .streamServiceUnavailable(service, let reason) = event else { return false }
      return reason.contains("Permissions Violation")
    }
    let events = Locked<[StoreEvent.Kind]>([])
    var settings = Database.Options()
    settings.onEvent = { event in events.withLock { $0.append(event.kind) } }
    let primary = try Primary(path: path, transport: transport, options: settings)
    try primary.commit(primary.database.batch(1, from: 0), acknowledgement: .replicated)
    try wait("a primary does not say that its lease is refused") {
      try expect((try? primary.renewLease(holder: "one")) != true, "the lease is not refused")
      return events.withLock { $0.contains { isDenied($0, .lease) } }
    }
    let copy = folder.appending(path: "denied-copy").path
    try primary.database.backup(to: copy + "-backup")
    try Replica.make(from: copy + "-backup", at: copy, of: "one")
    let replica = try Replica(path: copy, transport: transport, options: settings, name: "one")
    try wait("a replica does not say that its reports are refused") {
      _ = try replica.step()
      return events.withLock { $0.contains { isDenied($0, .reports) } }
    }
    try replica.close()
    try primary.close()
  }

  /// Changes the password on the server, and then in the file that a running process uses.
  private func passwordFile() throws {
    let file = folder.appending(path: "password")
    try Data((Self.password + "\n").utf8).write(to: file)
    let stream = try connect(options(.userFile("ada", passwordFile: file.path)))
    _ = try stream.end()
    try restart(certificates.tls() + Self.users("another-7a20"))
    try wait("an old password is accepted") {
      do {
        _ = try stream.end()
        return false
      } catch let error as NATSError {
        note(error)
        guard case .unauthorized(_, let credentials, _) = error else { return false }
        return credentials.contains(file.path)
      }
    }
    try Data("another-7a20\n".utf8).write(to: file)
    try wait("a new password is not used") { (try? stream.end()) != nil }
    try restart(certificates.tls() + Self.users())
  }

  /// Changes the password on the server and back while a primary and a replica run.
  private func renewal() throws {
    let path = folder.appending(path: "primary").path
    let storeID = try Database(path: path).storeID
    var settings = Database.Options()
    let events = Locked<[StoreEvent.Kind]>([])
    settings.onEvent = { [said] event in
      said.withLock { $0 += "\(event)\n" }
      events.withLock { $0.append(event.kind) }
    }
    let primary = try Primary(
      path: path, transport: try connect(options(), to: storeID), options: settings)
    defer { try? primary.close() }
    let batch = { primary.database.batch(1, from: Double(primary.database.end)) }
    try primary.commit(batch(), acknowledgement: .replicated)
    try restart(certificates.tls() + Self.users("another"))
    try primary.commit(batch())
    let refused = { (kind: StoreEvent.Kind) in
      if case .streamUnreachable(let reason) = kind {
        return reason.contains("refused the user ada")
      }
      return false
    }
    try wait("a primary does not say that its password is refused") {
      events.withLock { $0.contains(where: refused) }
    }
    do {
      try primary.confirm(through: primary.database.end, .replicated, attempts: 3)
      throw Breach(description: "a commit was acknowledged without a server")
    } catch is ReplicationError {}
    try restart(certificates.tls() + Self.users())
    try wait("a primary does not continue after its password is accepted again") {
      events.withLock { $0.contains(.streamReachable) }
    }
    try primary.confirm(through: primary.database.end, .replicated)
  }

  private func tokens() throws {
    for (token, isRight) in [(Self.token, true), ("wrong", false)] {
      var options = NATSOptions()
      options.servers = [servers.addresses[0].replacing("tls://", with: "nats://")]
      options.credentials = .token(token)
      if isRight {
        _ = try connect(options)
      } else {
        try expectUnauthorized(options, naming: "the token")
      }
    }
  }

  /// Uses a credentials file that expires and is then replaced.
  private func files(_ keys: NATSKeys) throws {
    let file = folder.appending(path: "user.creds")
    var options = options(.file(file.path))
    options.makesStream = false
    try keys.write(file, expiringIn: -10)
    try expectUnauthorized(options, naming: file.path)
    let stream = try connectBriefly(options, keys, file)
    try wait("expired credentials are accepted") {
      do {
        _ = try stream.end()
        return false
      } catch let error as NATSError {
        note(error)
        guard case .unauthorized(_, let credentials, _) = error else { return false }
        return credentials.contains(file.path)
      }
    }
    try keys.write(file, expiringIn: 3600)
    try wait("renewed credentials are not used") { (try? stream.end()) != nil }
  }

  /// Connects with credentials that expire soon afterwards.
  ///
  /// Allows more time if they expire before the connection is made.
  private func connectBriefly(
    _ options: NATSOptions, _ keys: NATSKeys, _ file: URL
  ) throws -> any StreamTransport {
    var seconds = 2.0
    while true {
      try keys.write(file, expiringIn: seconds)
      do {
        let stream = try connect(options)
        _ = try stream.end()
        return stream
      } catch let error as NATSError {
        note(error)
        guard case .unauthorized = error, seconds * 2 < longestWait else { throw error }
        seconds *= 2
      }
    }
  }

  // MARK: Expectations

  private func options(
    _ credentials: NATSCredentials = .user("ada", password: password), client: String = "client"
  ) -> NATSOptions {
    var options = servers.options
    options.caFile = certificates.certificate("authority")
    options.certificateFile = certificates.certificate(client)
    options.keyFile = certificates.key(client)
    options.credentials = credentials
    return options
  }

  private func restart(_ security: String) throws {
    servers.kill(0)
    servers.security = security
    try servers.start(0)
  }

  /// Connects, and waits for a server that is starting.
  private func connect(
    _ options: NATSOptions, to storeID: Identifier = Identifier()
  ) throws -> any StreamTransport {
    var text = "\(options) \(String(reflecting: options))"
    dump(options, to: &text)
    said.withLock { $0 += text + "\n" }
    // A wrong refusal is not mistaken for a server that is starting.
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while true {
      do {
        return try NATSStream.connect(to: storeID, options: options)
      } catch NATSError.unreachable(_, let reason) {
        let log = (try? servers.log(of: 0)) ?? "no log"
        try expect(ContinuousClock.now < deadline, "\(options): \(reason)\n\(log)")
        pause(0.02)
      }
    }
  }

  private func wait(_ sentence: String, until isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while try !isSo() {
      try expect(ContinuousClock.now < deadline, sentence)
      pause(0.02)
    }
  }

  private func note(_ error: any Error) { said.withLock { $0 += "\(error)\n" } }

  private func error(_ options: NATSOptions) throws -> NATSError {
    do {
      _ = try connect(options)
    } catch let error as NATSError {
      note(error)
      return error
    }
    throw Breach(description: "a connection was made with \(options)")
  }

  private func expectUntrusted(_ options: NATSOptions, because part: String) throws {
    let error = try error(options)
    guard case .untrusted(servers.addresses[0], let reason) = error, reason.contains(part) else {
      throw Breach(description: "not untrusted because of \(part): \(error)")
    }
  }

  private func expectUnauthorized(_ options: NATSOptions, naming part: String) throws {
    let error = try error(options)
    guard case .unauthorized(let server, let credentials, _) = error, credentials.contains(part),
      server.hasSuffix("127.0.0.1:\(servers.ports[0])")
    else { throw Breach(description: "not unauthorized with \(part): \(error)") }
  }

  private func expectUnusable(_ options: NATSOptions, _ path: String) throws {
    let error = try error(options)
    guard case .unusableFile(path, _) = error else {
      throw Breach(description: "not unusable because of \(path): \(error)")
    }
  }
}
