internal import Dispatch
import SampleLog

/// A replica's request that the primary of an epoch holds its commits, so that the replica can be
/// promoted without losing any, or the primary's answer.
///
/// Both are stored beside the reports of replicas, whose readers ignore them. The answer replaces
/// the request.
struct Handover: Hashable {
  /// The identifier of the store.
  let storeID: Identifier
  /// The epoch of the primary.
  let epoch: UInt32
  /// A random number that distinguishes the request from those of other promotions.
  let number: UInt64
  /// Whether the primary holds its commits, and has published all earlier ones.
  var isAnswer = false

  /// The name under which both are stored in place of a replica's report.
  static let name = "handover"
  private static let magic: UInt64 = 0x0A01_444E_4853_4853  // "HSHSND", 1, line feed
  private static let size = 44

  init(storeID: Identifier, epoch: UInt32, number: UInt64) {
    self.storeID = storeID
    self.epoch = epoch
    self.number = number
  }

  var encoded: [UInt8] {
    var bytes = ByteWriter(reserving: Self.size)
    bytes.fixed(Self.magic)
    bytes.fixed(storeID.high)
    bytes.fixed(storeID.low)
    bytes.fixed(number)
    bytes.fixed(epoch)
    bytes.fixed(UInt32(isAnswer ? 1 : 0))
    bytes.fixed(checksum(bytes.bytes))
    return bytes.bytes
  }

  /// Decodes a request or an answer; returns nil if the bytes are neither.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    var fields = HeaderFields(bytes)
    guard fields.word() == Self.magic else { return nil }
    storeID = Identifier(high: fields.word(), low: fields.word())
    number = fields.word()
    epoch = fields.half()
    isAnswer = fields.half() == 1
    guard fields.half() == checksum(Array(bytes[..<(Self.size - 4)])) else { return nil }
  }
}

extension Primary {
  /// The time for which a primary publishes its commits before it answers a request, and for which
  /// it holds further commits after that, in seconds.
  static let handoverSeconds = 2.0

  /// Holds all commits, publishes the earlier ones, and answers a replica's request, until another
  /// copy is promoted.
  ///
  /// Commits continue if no copy is promoted in time. Otherwise those that waited throw
  /// `StoreError.fenced`, and no part of them is in the store.
  func handOver(_ request: Handover, within seconds: Double = handoverSeconds) {
    defer { endHandover() }
    var deadline = ContinuousClock.now + .seconds(seconds)
    var answer = request
    // An error of the disk ends the handover; the next commit reports it.
    try? database.holdingCommits {
      while database.fencedBy == nil, failure == nil, ContinuousClock.now < deadline {
        if publishNow(), !answer.isAnswer {
          answer.isAnswer = true
          // Without the answer the replica asks again later.
          try? publisher.transport.report(answer.encoded, from: Handover.name)
          deadline = ContinuousClock.now + .seconds(seconds)
        }
        // The replica needs a few requests to the stream.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.002)
      }
    }
  }
}
