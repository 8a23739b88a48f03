public import Foundation

/// The progress of a transfer: the batches that the server has acknowledged.
///
/// An app stores it with its settings. An app that has lost its progress starts with a new one and
/// sends everything again, which changes nothing on the server.
public struct TransferProgress: Codable, Equatable, Sendable {
  /// The position of one anchored query, which reads samples of one or more types.
  struct Cursor: Codable, Equatable, Sendable {
    /// The identifiers of the types, sorted.
    var types: [String]
    /// The archived anchor after the last acknowledged batch; empty at the beginning.
    var anchor: [UInt8] = []

    /// The identifier of the cursor on the server, which follows from the types.
    var id: UInt64 { Fingerprint.of(types.joined(separator: "\n").utf8) }
  }

  /// The identifier of this installation of the app on the server.
  public private(set) var device: UUID
  /// The number of the last batch that the server has acknowledged, or 0 if there is none.
  public internal(set) var acknowledged: UInt64 = 0
  var cursors: [Cursor] = []

  /// Creates the progress of an installation that has sent nothing.
  ///
  /// - Parameter device: The identifier of the installation; each installation must have its own.
  public init(device: UUID = UUID()) { self.device = device }

  /// Makes the cursors read the given types; new types are read from the beginning.
  mutating func read(_ types: Set<String>) {
    for index in cursors.indices { cursors[index].types.removeAll { !types.contains($0) } }
    cursors.removeAll { $0.types.isEmpty }
    let new = types.subtracting(cursors.flatMap(\.types))
    if !new.isEmpty { cursors.append(Cursor(types: new.sorted())) }
  }

  /// Updates the progress from a reply, or throws if the reply is implausible.
  mutating func take(_ reply: TransferReply) throws(TransferError) {
    let anchors = try checked(reply)
    if reply.isGap { throw .gap(wanted: reply.number + 1) }
    if reply.isConflict { throw .anotherBatch(number: acknowledged + 1) }
    // Replies may arrive out of order.
    guard reply.number > acknowledged else { return }
    acknowledged = reply.number
    for index in cursors.indices {
      if let anchor = anchors[cursors[index].id] { cursors[index].anchor = anchor }
    }
  }

  /// Resets the progress to that of a server that has lost batches.
  mutating func rewind(to reply: TransferReply) throws(TransferError) {
    let anchors = try checked(reply)
    acknowledged = reply.number
    for index in cursors.indices { cursors[index].anchor = anchors[cursors[index].id] ?? [] }
  }

  /// Continues as another device, with the data that has not been acknowledged.
  ///
  /// Use this method if the server has other data under this device identifier
  /// (``TransferError/anotherBatch(number:)``). Samples that the server already has are not added
  /// again.
  ///
  /// - Parameter device: The new identifier of the installation, which no other installation may
  ///   use.
  public mutating func restart(as device: UUID = UUID()) {
    self.device = device
    acknowledged = 0
  }

  /// Validates a reply before any of it is stored.
  ///
  /// A reply is valid if it is for this device, its number is at most ``TransferLimit/number``, and
  /// a query can start at its anchors.
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

  /// Decodes stored progress.
  ///
  /// If its number exceeds that of any server, the transfer starts again as another device. A
  /// cursor with an invalid anchor starts at the beginning. Sending data again changes nothing on
  /// the server.
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
