public import Foundation

/// How far an app is with sending: what the server has acknowledged.
///
/// Keep it where the app keeps its settings. An app that has lost it begins with a new one and
/// sends everything again, which changes nothing on the server.
public struct TransferProgress: Codable, Equatable, Sendable {
  /// Types of samples that one query reads, and how far it is.
  struct Cursor: Codable, Equatable, Sendable {
    /// The identifiers of the types, rising.
    var types: [String]
    /// The archived anchor behind what was acknowledged; empty for the beginning.
    var anchor: [UInt8] = []

    /// Names the cursor to a server; decided by the types.
    var id: UInt64 { Fingerprint.of(types.joined(separator: "\n").utf8) }
  }

  /// Names this installation of the app to the server.
  public let device: UUID
  /// The number of the last batch that the server has; 0 for none.
  public internal(set) var acknowledged: UInt64 = 0
  var cursors: [Cursor] = []

  /// The progress of an installation that has sent nothing.
  ///
  /// - Parameter device: Names the installation; a new one must have another.
  public init(device: UUID = UUID()) { self.device = device }

  /// Has the cursors read some types, those that are new from the beginning.
  mutating func read(_ types: Set<String>) {
    for index in cursors.indices { cursors[index].types.removeAll { !types.contains($0) } }
    cursors.removeAll { $0.types.isEmpty }
    let new = types.subtracting(cursors.flatMap(\.types))
    if !new.isEmpty { cursors.append(Cursor(types: new.sorted())) }
  }

  /// Takes what a server has.
  mutating func take(_ reply: TransferReply) throws(TransferError) {
    guard reply.device == device else { throw .anotherDevice(reply.device) }
    if reply.isGap { throw .gap(wanted: reply.number + 1) }
    // An older reply may come later.
    guard reply.number > acknowledged else { return }
    acknowledged = reply.number
    for index in cursors.indices {
      if let anchor = reply.anchors[cursors[index].id] { cursors[index].anchor = anchor }
    }
  }

  /// Goes back to where a server is that has lost batches.
  mutating func rewind(to reply: TransferReply) throws(TransferError) {
    guard reply.device == device else { throw .anotherDevice(reply.device) }
    acknowledged = reply.number
    for index in cursors.indices {
      cursors[index].anchor = reply.anchors[cursors[index].id] ?? []
    }
  }
}
