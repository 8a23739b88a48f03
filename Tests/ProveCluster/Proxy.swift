import Foundation
import SampleLog

/// A port of this machine that forwards connections to another one, and can interrupt them.
///
/// Delayed bytes are delivered later, like retransmissions after a partition.
final class Proxy: @unchecked Sendable {
  enum Mode: String, CaseIterable {
    /// All bytes pass.
    case open
    /// Connections are closed, and new ones are closed at once.
    case cut
    /// Connections are accepted, and no bytes pass.
    case silent
    /// Bytes from the server pass; bytes to it are delayed.
    case deaf
    /// Bytes to the server pass; its answers are delayed.
    case mute
  }

  let port: Int
  private let target: Int
  private let listener: Int32
  private let state = Locked((mode: Mode.open, isClosed: false))

  init(to target: Int) throws {
    self.target = target
    // Writing to a closed connection then returns an error.
    signal(SIGPIPE, SIG_IGN)
    let listener = Self.makeSocket()
    self.listener = listener
    var bound = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: bound.sin_port))
    try expect(isListening, "the proxy cannot listen")
    Thread { self.acceptAll() }.start()
  }

  /// Closes all connections, and accepts no more.
  func close() { state.withLock { $0.isClosed = true } }

  var mode: Mode {
    get { state.withLock { $0.mode } }
    set { state.withLock { $0.mode = newValue } }
  }

  private var isEnding: Bool { state.withLock { $0.isClosed || $0.mode == .cut } }

  private func acceptAll() {
    while !state.withLock({ $0.isClosed }) {
      guard Self.canRead(listener) else { continue }
      let client = accept(listener, nil, nil)
      if client < 0 { continue }
      let server = isEnding ? -1 : connectToTarget()
      if server < 0 {
        shut(client)
        continue
      }
      Self.sendAtOnce(client)
      Self.sendAtOnce(server)
      let connection = Connection(client, server)
      Thread { self.pump(client, server, .deaf, connection) }.start()
      Thread { self.pump(server, client, .mute, connection) }.start()
    }
    shut(listener)
  }

  /// Two sockets, which are closed once neither direction uses them.
  private final class Connection: Sendable {
    private let sockets: [Int32]
    private let isDone = Locked(false)

    init(_ sockets: Int32...) { self.sockets = sockets }

    var hasEnded: Bool { isDone.withLock { $0 } }
    func end() { isDone.withLock { $0 = true } }

    deinit { for socket in sockets { shut(socket) } }
  }

  /// Forwards the bytes of one side, except in the silent mode and the given one.
  private func pump(_ from: Int32, _ to: Int32, _ holding: Mode, _ connection: Connection) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    defer { connection.end() }
    while !isEnding, !connection.hasEnded {
      let mode = mode
      if mode == .silent || mode == holding {
        pause(0.005)
        continue
      }
      guard Self.canRead(from) else { continue }
      let count = read(from, &buffer, buffer.count)
      if count <= 0 { return }
      var sent = 0
      while sent < count, !isEnding {
        let part = buffer[sent..<count].withUnsafeBytes {
          write(to, $0.baseAddress, $0.count)
        }
        if part <= 0 { return }
        sent += part
      }
    }
  }

  private func connectToTarget() -> Int32 {
    let socket = Self.makeSocket()
    var address = Self.address(target)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isConnected { return socket }
    shut(socket)
    return -1
  }

  private static func makeSocket() -> Int32 {
    #if canImport(Darwin)
      socket(AF_INET, SOCK_STREAM, 0)
    #else
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  /// Disables Nagle's algorithm, which delays small writes by up to 40 ms.
  private static func sendAtOnce(_ socket: Int32) {
    var isOn: Int32 = 1
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Waits briefly for readable bytes.
  private static func canRead(_ socket: Int32) -> Bool {
    var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 20) > 0
  }
}

private func shut(_ socket: Int32) { _ = close(socket) }
