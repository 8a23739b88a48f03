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
  public private(set) var device: UUID
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

  /// Takes what a server has, unless that cannot be true.
  mutating func take(_ reply: TransferReply) throws(TransferError) {
    let anchors = try checked(reply)
    if reply.isGap { throw .gap(wanted: reply.number + 1) }
    if reply.isConflict { throw .anotherBatch(number: acknowledged + 1) }
    // An older reply may come later.
    guard reply.number > acknowledged else { return }
    acknowledged = reply.number
    for index in cursors.indices {
      if let anchor = anchors[cursors[index].id] { cursors[index].anchor = anchor }
    }
  }

  /// Goes back to where a server is that has lost batches.
  mutating func rewind(to reply: TransferReply) throws(TransferError) {
    let anchors = try checked(reply)
    acknowledged = reply.number
    for index in cursors.indices { cursors[index].anchor = anchors[cursors[index].id] ?? [] }
  }

  /// Goes on as another device, with what has not been acknowledged.
  ///
  /// For a phone whose server has other data under its device identifier
  /// (``TransferError/anotherBatch(number:)``). What the server has already changes nothing there.
  ///
  /// - Parameter device: Names the installation; no other may have this name.
  public mutating func restart(as device: UUID = UUID()) {
    self.device = device
    acknowledged = 0
  }

  /// Decides what is accepted from a server, before anything of it is kept: a reply to this device
  /// with a number that can be counted on from and anchors that a query can begin at.
  ///
  /// - Returns: The anchors of this device's cursors.
  private func checked(_ reply: TransferReply) throws(TransferError) -> [UInt64: [UInt8]] {
    guard reply.device == device else { throw .anotherDevice(reply.device) }
    guard reply.number <= TransferLimit.number else {
      throw .implausible("it has the number \(reply.number)")
    }
    let known = Set(cursors.map(\.id))
    let anchors = reply.anchors.filter { known.contains($0.key) }
    for anchor in anchors.values where !ArchivedForm.isAnchor(anchor) {
      throw .implausible("it has an anchor that is none")
    }
    return anchors
  }
}

extension TransferProgress {
  private enum CodingKeys: String, CodingKey { case device, acknowledged, cursors }

  /// Reads progress that was kept.
  ///
  /// One with a number that no server gives begins again as another device, and a cursor whose
  /// anchor makes no sense begins at its beginning: sending again changes nothing on the server.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    device = try fields.decode(UUID.self, forKey: .device)
    acknowledged = try fields.decode(UInt64.self, forKey: .acknowledged)
    cursors = try fields.decode([Cursor].self, forKey: .cursors)
    if acknowledged > TransferLimit.number {
      self = TransferProgress()
      return
    }
    for index in cursors.indices where !ArchivedForm.isAnchor(cursors[index].anchor) {
      cursors[index].anchor = []
    }
  }
}
