internal import Dispatch
import SampleLog

/// Answers requests for copies of an open store, one at a time, in the background.
final class CopySource: Sendable {
  private struct State {
    var isRunning = false
    var isClosed = false
    /// The numbers of checks at which the present requests were unanswered, by transfer.
    var counts: [UInt64: Int] = [:]
    /// The latest transfer whose receiver did not answer the offer.
    var unanswered: UInt64?
  }

  /// The time between two steps of a transfer that waits, in milliseconds.
  private static let pause = 5

  private let database: Database
  private let transport: any StreamTransport
  private let patience: Int
  private let pieceSize: Int
  private let queue = DispatchQueue(label: "samplelog.copy", qos: .utility)
  private let state = Locked(State())

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - database: The store, which is open for writing.
  ///   - transport: The stream of the store.
  ///   - patience: The number of checks for which a request is left to other copies.
  ///   - pieceSize: The size of each piece but the last, in bytes.
  init(
    _ database: Database, _ transport: any StreamTransport, patience: Int = 0,
    pieceSize: Int = CopyMessage.pieceSize
  ) {
    self.database = database
    self.transport = transport
    self.patience = patience
    self.pieceSize = pieceSize
  }

  /// Looks for a request in the background, and answers it.
  ///
  /// Calls while a request is being looked for or answered have no effect.
  func check() {
    guard transport.transfersCopies else { return }
    let isNew = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning && !state.isClosed
    }
    guard isNew else { return }
    queue.async { [self] in
      if var sending = accept() { send(&sending) }
      state.withLock { $0.isRunning = false }
    }
  }

  /// Ends the transfer in progress, and answers no further requests.
  func close() { state.withLock { $0.isClosed = true } }

  /// Returns the transfer for a request that no source has answered, or nil if there is none.
  func accept() -> CopySending? {
    let requests = ((try? transport.copyRequests()) ?? []).compactMap { CopyMessage($0) }
      .filter { $0.kind == .request && $0.storeID == database.storeID && $0.source == 0 }
    let found = state.withLock { state in
      state.counts = requests.reduce(into: [:]) { counts, request in
        counts[request.transfer] = state.counts[request.transfer, default: 0] + 1
      }
      return requests.first {
        state.counts[$0.transfer, default: 0] > patience && $0.transfer != state.unanswered
      }
    }
    // A store with damage, or one that was closed, offers nothing.
    return found.flatMap { try? CopySending($0.transfer, of: database, transport, pieceSize) }
  }

  private func send(_ sending: inout CopySending) {
    while !state.withLock({ $0.isClosed }) {
      // A transfer ends at an error of the store; the receiver then asks other copies.
      switch try? sending.step() {
      case .sent: break
      case .waiting:
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(Self.pause))
      case .unanswered: return state.withLock { $0.unanswered = sending.transfer }
      case .ended, nil: return
      }
    }
  }
}

/// The sending side of a transfer, performed step by step.
struct CopySending {
  enum Step {
    /// A piece was sent.
    case sent
    /// The receiver has not answered yet.
    case waiting
    /// The receiver has not chosen a source in time, and may have ended.
    case unanswered
    /// The receiver has everything, has chosen another source, or no longer answers.
    case ended
  }

  private struct EpochHasChanged: Error {}

  /// The number of consecutive waits after which the transfer is abandoned, about a minute.
  static let patience = 12_000
  /// The number of waits after which an offer is withdrawn, about five seconds.
  static let offerPatience = 1024
  /// The number of consecutive waits after which values are sent again, as they may be lost.
  static let repetition = 256

  private let transport: any StreamTransport
  private let files: StoreFiles
  /// The bytes before those of the files.
  private let head: [UInt8]
  private let byteCount: UInt64
  private let pieceSize: UInt64
  private let offer: CopyMessage
  private var isChosen = false
  private var next: UInt64 = 0
  /// The number of pieces that were sent at least once.
  private var sent: UInt64 = 0
  private var acknowledged: UInt64 = 0
  private var waits = 0

  /// The number that identifies the transfer.
  var transfer: UInt64 { offer.transfer }
  private var pieceCount: UInt64 { (byteCount + pieceSize - 1) / pieceSize }

  init(
    _ transfer: UInt64, of database: Database, _ transport: any StreamTransport,
    _ pieceSize: Int
  ) throws {
    self.transport = transport
    self.pieceSize = UInt64(pieceSize)
    let (epoch, earlier) = (database.epoch, database.earlierEpochs)
    files = try StoreFiles(of: database)
    // The next check answers the request with the files of the new epoch.
    guard database.epoch == epoch else { throw EpochHasChanged() }
    var epochs = earlier.map { CopyManifest.Epoch(epoch: $0.epoch, last: $0.last) }
    epochs.append(CopyManifest.Epoch(epoch: epoch, last: files.end))
    let manifest = CopyManifest(end: files.end, epochs: epochs, files: files.entries).encoded
    var head = ByteWriter(reserving: manifest.count + 4)
    head.fixed(UInt32(manifest.count))
    head.append(manifest)
    self.head = head.bytes
    byteCount = files.entries.reduce(UInt64(head.count)) { $0 + $1.byteCount }
    offer = CopyMessage(
      kind: .offer, storeID: database.storeID, transfer: transfer,
      source: UInt64.random(in: 1..<UInt64.max), number: byteCount)
  }

  /// Sends the next piece, or looks for an answer of the receiver.
  ///
  /// Errors of the stream count as missing answers.
  ///
  /// - Throws: The errors of reading the store's files.
  mutating func step() throws -> Step {
    let window = UInt64(CopyMessage.window)
    if isChosen, next < min(acknowledged + window, pieceCount) {
      let bytes = try piece(next).encoded
      let key = CopyKey.piece(transfer: offer.transfer, slot: Int(next % window))
      guard (try? transport.put(bytes, under: key)) != nil else { return wait() }
      next += 1
      sent = max(sent, next)
      return .sent
    }
    let value = (try? transport.value(under: .request(transfer: offer.transfer))) ?? nil
    guard let request = value.flatMap({ CopyMessage($0) }), request.kind == .request,
      request.transfer == offer.transfer, request.storeID == offer.storeID
    else { return wait() }
    if request.source == 0 {
      // Another source's offer may have replaced this one before the receiver read it.
      if isChosen { return wait() }
      if waits % Self.repetition == 0 {
        try? transport.put(offer.encoded, under: .offer(transfer: offer.transfer))
      }
      return wait()
    }
    guard request.source == offer.source, request.number <= sent else { return .ended }
    if !isChosen { waits = 0 }
    isChosen = true
    if request.number > acknowledged {
      acknowledged = request.number
      next = max(next, acknowledged)
      waits = 0
    }
    if acknowledged == pieceCount { return .ended }
    if next < min(acknowledged + window, pieceCount) { return .waiting }
    let step = wait()
    if waits % Self.repetition == 0 { next = acknowledged }
    return step
  }

  private mutating func wait() -> Step {
    waits += 1
    if !isChosen, waits > Self.offerPatience { return .unanswered }
    return waits > Self.patience ? .ended : .waiting
  }

  private func piece(_ index: UInt64) throws -> CopyMessage {
    var message = offer
    message.kind = .piece
    message.number = index
    let start = index * pieceSize
    message.payload = try bytes(start..<min(start + pieceSize, byteCount))
    return message
  }

  /// Returns a range of the copy's bytes.
  private func bytes(_ range: Range<UInt64>) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    if range.lowerBound < UInt64(head.count) {
      bytes += head[Int(range.lowerBound)..<min(Int(range.upperBound), head.count)]
    }
    var start = UInt64(head.count)
    for (index, file) in files.entries.enumerated() {
      let part = range.clamped(to: start..<start + file.byteCount)
      if !part.isEmpty {
        bytes += try files.bytes(part.count, of: index, at: Int(part.lowerBound - start))
      }
      start += file.byteCount
    }
    return bytes
  }
}
