public import SampleLog

/// The progress of receiving a copy.
public struct CopyProgress: Hashable, Sendable {
  /// The number of bytes received so far.
  public var received: UInt64 = 0
  /// The size of the copy, in bytes, or nil until a copy is offered.
  public var byteCount: UInt64?
  /// Whether the next bytes have not arrived yet.
  public var isWaiting = false
}

/// The receiving side of a transfer.
final class CopyReceiver {
  /// The transfer does not continue, for example because the source has died.
  struct Stalled: Error {}

  /// The number of waits after which a request is sent again, as it may have been lost.
  static let repetition = 64
  /// The number of waits after which the report is sent again; a piece counts as 64.
  private static let reportInterval = 1024
  /// The maximum size of a copy that is accepted, in bytes: 1 PiB.
  private static let byteLimit: UInt64 = 1 << 50

  private let transport: any StreamTransport
  private let name: String?
  private let patience: Int
  private let onProgress: (CopyProgress) throws -> Void
  private var request: CopyMessage
  private(set) var progress = CopyProgress()
  private var buffer: ArraySlice<UInt8> = []
  private var waits = 0
  private var untilReport = 0
  /// The error of the last request to the stream, or nil if it was answered.
  private var streamError: (any Error)?

  init(
    _ storeID: Identifier, _ transport: any StreamTransport, name: String?, patience: Int,
    onProgress: @escaping (CopyProgress) throws -> Void
  ) {
    self.transport = transport
    self.name = name
    self.patience = patience
    self.onProgress = onProgress
    request = CopyMessage(
      kind: .request, storeID: storeID, transfer: UInt64.random(in: 1 ... .max))
  }

  /// Requests a copy, waits for an offer, and chooses its source.
  ///
  /// - Returns: The description of the copy.
  /// - Throws: ``ReplicationError/noCopyOffered``, or the error of the stream if it cannot be
  ///   reached.
  func begin() throws -> CopyManifest {
    // Sources must find the report before they capture their files, so that an erasure waits.
    report(after: 0)
    try send()
    let key = CopyKey.offer(transfer: request.transfer)
    while true {
      let offer = answer { try transport.value(under: key) }.flatMap { CopyMessage($0) }
      if let offer, offer.kind == .offer, offer.transfer == request.transfer,
        offer.storeID == request.storeID, offer.source != 0, offer.number <= Self.byteLimit
      {
        request.source = offer.source
        progress.byteCount = offer.number
        break
      }
      try wait(orThrow: streamError ?? ReplicationError.noCopyOffered)
    }
    waits = 0
    try? send()
    let count = try exactly(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= CopyManifest.limit else {
      throw ReplicationError.damagedCopy(reason: "its list of files is too long")
    }
    let left = (progress.byteCount ?? 0).subtractingReportingOverflow(UInt64(count + 4))
    guard !left.overflow else {
      throw ReplicationError.damagedCopy(reason: "its list of files is longer than the copy")
    }
    return try CopyManifest(exactly(count), byteCount: left.partialValue)
  }

  /// Returns the next bytes of the copy, at least one and at most a number of them.
  ///
  /// - Throws: ``Stalled``, ``ReplicationError/damagedCopy(reason:)``, and the errors of the
  ///   progress function.
  func read(_ limit: Int) throws -> [UInt8] {
    if buffer.isEmpty { try receive() }
    let bytes = buffer.prefix(limit)
    buffer.removeFirst(bytes.count)
    return Array(bytes)
  }

  private func exactly(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += try read(count - bytes.count) }
    return bytes
  }

  /// Waits for the next piece.
  private func receive() throws {
    let byteCount = progress.byteCount ?? 0
    guard progress.received < byteCount else {
      throw ReplicationError.damagedCopy(reason: "it ends within a file")
    }
    let key = CopyKey.piece(
      transfer: request.transfer, slot: Int(request.number % UInt64(CopyMessage.window)))
    while true {
      if let value = answer({ try transport.value(under: key) }),
        let payload = try payload(of: value)
      {
        buffer = payload[...]
        break
      }
      try wait(orThrow: Stalled())
    }
    waits = 0
    request.number += 1
    progress.received += UInt64(buffer.count)
    let isLast = progress.received == byteCount
    // A lost acknowledgement is repeated while waiting.
    if isLast || request.number % UInt64(CopyMessage.window / 2) == 0 { try? send() }
    report(after: 64)
    progress.isWaiting = false
    try onProgress(progress)
  }

  /// Returns the bytes of the next piece, or nil if the value is an earlier piece.
  private func payload(of value: [UInt8]) throws -> [UInt8]? {
    guard let piece = CopyMessage(value), piece.kind == .piece, piece.source == request.source,
      piece.transfer == request.transfer, piece.storeID == request.storeID
    else {
      throw ReplicationError.damagedCopy(reason: "piece \(request.number) is damaged")
    }
    if piece.number < request.number { return nil }
    let left = (progress.byteCount ?? 0) - progress.received
    guard piece.number == request.number, !piece.payload.isEmpty,
      UInt64(piece.payload.count) <= left
    else {
      throw ReplicationError.damagedCopy(
        reason: "piece \(piece.number) of \(piece.payload.count) bytes arrived in place of piece "
          + "\(request.number), with \(left) bytes left")
    }
    return piece.payload
  }

  private func wait(orThrow error: @autoclosure () -> any Error) throws {
    waits += 1
    if waits > patience { throw error() }
    if waits % Self.repetition == 0 { try? send() }
    report(after: 1)
    progress.isWaiting = true
    try onProgress(progress)
  }

  private func send() throws {
    try transport.put(request.encoded, under: .request(transfer: request.transfer))
  }

  /// Ends the transfer, so that its source can turn to other receivers.
  ///
  /// Without it, the source does so after a while.
  func withdraw() {
    request.source = .max
    request.number = .max
    try? send()
  }

  /// Returns the value that a request to the stream returns, or nil if there is none.
  private func answer(_ body: () throws -> [UInt8]?) -> [UInt8]? {
    do {
      let value = try body()
      streamError = nil
      return value
    } catch {
      streamError = error
      return nil
    }
  }

  /// Reports that the replica has nothing yet, so that an erasure waits for it.
  ///
  /// A replica that reports nothing durable counts for no commit, and does not delay a promotion.
  private func report(after count: Int) {
    untilReport -= count
    guard let name, untilReport <= 0 else { return }
    untilReport = Self.reportInterval
    let report = ReplicaReport(
      storeID: request.storeID, epoch: 1, term: 0, last: 0, chain: HistoryChain(value: 1))
    try? transport.report(report.encoded, from: name)
  }
}

extension Replica {
  /// Creates a replica from a copy that a running replica or primary of the store sends through
  /// the stream's servers.
  ///
  /// A replica answers first; a primary answers after about four seconds. If the source ends, the
  /// copy is requested again from the beginning. An existing replica in the directory, which must
  /// be closed, is replaced once a copy is offered that has all of its commits. The directory is
  /// locked meanwhile.
  ///
  /// - Parameters:
  ///   - storeID: The identity of the store.
  ///   - path: A directory that does not exist, is empty, has a closed replica, or was left by an
  ///     earlier call that a crash ended.
  ///   - primary: The name of the primary, which is part of the error of saving in the replica.
  ///   - transport: The stream of the store.
  ///   - name: The name under which the replica reports, so that an erasure waits until the replica
  ///     has removed the data; nil to report nothing.
  ///   - patience: The number of consecutive waits after which no source answers, about half a
  ///     minute by default.
  ///   - fileSystem: The file system of the directory.
  ///   - onProgress: Called after each piece, and repeatedly while the next piece is missing; it
  ///     should then pause for about five milliseconds. An error that it throws ends the transfer.
  /// - Throws: ``ReplicationError/noCopyOffered``, ``ReplicationError/damagedCopy(reason:)``,
  ///   ``ReplicationError/copiesUnsupported``,
  ///   ``ReplicationError/notInCopy(epoch:end:)`` if an existing replica has commits that the copy
  ///   does not have, `StoreError.locked` if the directory has an open replica or another call
  ///   receives into it, `StoreError.notEmpty`, `StoreError.damaged` if the files are not a sound
  ///   copy, and errors of the operating system. The directory then has none of the received files.
  public static func receive(
    _ storeID: Identifier, at path: String, of primary: String, transport: any StreamTransport,
    name: String? = nil, patience: Int = 6000,
    fileSystem: any FileSystem = PosixFileSystem(), onProgress: (CopyProgress) throws -> Void
  ) throws {
    try fileSystem.createDirectory(path)
    let lock = try fileSystem.lock(path + "/" + FileNames.lock)
    defer { lock.release() }
    try withoutActuallyEscaping(onProgress) { onProgress in
      while true {
        let receiver = CopyReceiver(
          storeID, transport, name: name, patience: patience, onProgress: onProgress)
        do {
          let manifest = try receiver.begin()
          try makeRoom(for: manifest, at: path, fileSystem)
          return try Database.makeReplica(
            receiving: manifest.files, ofStore: storeID, end: manifest.end, at: path, of: primary,
            fileSystem: fileSystem
          ) {
            try receiver.read($0)
          }
        } catch {
          receiver.withdraw()
          guard error is CopyReceiver.Stalled else { throw error }
        }
      }
    }
  }

  /// Removes a replica whose commits are in a copy, and what an earlier transfer has left.
  private static func makeRoom(
    for manifest: CopyManifest, at path: String, _ fileSystem: any FileSystem
  ) throws {
    let names = try fileSystem.list(path) ?? []
    if !names.contains(FileNames.unfinished) {
      guard names.contains(FileNames.replica) else { return }
      let database = try Database(path: path, mode: .readOnly, fileSystem: fileSystem)
      let (epoch, end) = (database.epoch, database.end)
      try database.close()
      guard manifest.contains(epoch, through: end) else {
        throw ReplicationError.notInCopy(epoch: epoch, end: end)
      }
    }
    try Database.discardFiles(in: path, fileSystem: fileSystem)
  }
}
