public import Foundation
public import HealthKit

/// Sends what a person's HealthKit store has, and what changes in it, to a server.
///
/// It makes one batch after the other, each of what an anchored query delivers, and goes on when
/// the server has acknowledged it. What was not acknowledged is made again, whatever became of it.
///
/// ```swift
/// let uploader = TransferUploader(store: store, types: types, progress: saved)
/// try await uploader.upload { batch in try await post(batch) } saving: { try keep($0) }
/// ```
@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
public actor TransferUploader {
  private let store: HKHealthStore
  private let types: [HKSampleType]
  private let batchSize: Int
  private let byteLimit: Int
  /// How far the server is, for the app to keep.
  public private(set) var progress: TransferProgress
  /// Samples that a batch cannot hold, or of types that do not travel; they are not sent.
  public private(set) var leftOut: Set<UUID> = []

  /// Makes an uploader.
  ///
  /// - Parameters:
  ///   - store: The person's store.
  ///   - types: What to send, which the app has asked permission to read. Types that come later are
  ///     sent from their beginning.
  ///   - progress: What was kept last time; a new one for an app that has sent nothing.
  ///   - batchSize: The most samples that a query is asked for at once.
  public init(
    store: HKHealthStore, types: [HKSampleType], progress: TransferProgress = TransferProgress(),
    batchSize: Int = 1000
  ) {
    self.init(
      store: store, types: types, progress: progress, batchSize: batchSize,
      byteLimit: TransferLimit.bytes)
  }

  init(
    store: HKHealthStore, types: [HKSampleType], progress: TransferProgress, batchSize: Int,
    byteLimit: Int
  ) {
    self.store = store
    self.types = types
    self.batchSize = max(1, batchSize)
    self.byteLimit = byteLimit
    self.progress = progress
    self.progress.read(Set(types.map(\.identifier)))
  }

  /// Makes the next batch; the same call makes it again until ``take(_:)`` acknowledges it.
  ///
  /// - Returns: The batch; nil when there is nothing that the server does not have.
  /// - Throws: What HealthKit's queries throw.
  public func nextBatch() async throws -> TransferBatch? {
    for cursor in progress.cursors {
      if let batch = try await batch(of: cursor) { return batch }
    }
    return nil
  }

  /// Takes the reply to a batch.
  ///
  /// Replies that come late, twice or in another order are no harm.
  ///
  /// - Throws: ``TransferError/gap(wanted:)`` when the server has lost batches, as after a backup
  ///   was restored or the person was erased: ``rewind(to:)`` sends them again.
  ///   ``TransferError/anotherBatch(number:)`` when another phone uses the same device identifier:
  ///   ``restart(as:)`` goes on with another. ``TransferError/anotherDevice(_:)`` for a reply to
  ///   another device, and ``TransferError/implausible(_:)`` for one that cannot be true; the
  ///   progress stays as it was.
  public func take(_ reply: TransferReply) throws(TransferError) { try progress.take(reply) }

  /// Sends again what a server no longer has, as its reply says.
  ///
  /// - Throws: ``TransferError/anotherDevice(_:)`` for a reply to another device, and
  ///   ``TransferError/implausible(_:)`` for one that cannot be true.
  public func rewind(to reply: TransferReply) throws(TransferError) {
    try progress.rewind(to: reply)
  }

  /// Goes on as another device, as ``TransferProgress/restart(as:)`` does.
  public func restart(as device: UUID = UUID()) { progress.restart(as: device) }

  /// Sends batches until the server has everything.
  ///
  /// If the server has other data under the device identifier, the upload goes on under another.
  ///
  /// - Parameters:
  ///   - send: Sends the bytes of a batch and returns those of the reply.
  ///   - save: Keeps the progress; called after each reply.
  /// - Throws: What `send` and `save` throw, ``nextBatch()`` and ``take(_:)``. The next call goes
  ///   on where this one ended.
  public func upload(
    _ send: @Sendable (Data) async throws -> Data,
    saving save: @Sendable (TransferProgress) throws -> Void = { _ in }
  ) async throws {
    while let batch = try await nextBatch() {
      let reply = try TransferReply(try await send(batch.data))
      do throws(TransferError) {
        try take(reply)
      } catch .anotherBatch where reply.number >= batch.number {
        restart()
      }
      try save(progress)
    }
  }

  private func batch(of cursor: TransferProgress.Cursor) async throws -> TransferBatch? {
    var limit = batchSize
    while true {
      let found = try await HKAnchoredObjectQueryDescriptor(
        predicates: predicates(of: cursor), anchor: try ArchivedForm.anchor(cursor.anchor),
        limit: limit
      ).result(for: store)
      if found.addedSamples.isEmpty, found.deletedObjects.isEmpty { return nil }
      let anchor = try ArchivedForm.bytes(of: found.newAnchor)
      var samples = try await encode(found.addedSamples)
      let batch = { (samples: [TransferSample]) in
        TransferBatch(
          device: self.progress.device, number: self.progress.acknowledged + 1, cursor: cursor.id,
          anchor: anchor, samples: samples, deletions: found.deletedObjects.map(\.uuid))
      }
      if batch(samples).fits(byteLimit) { return batch(samples) }
      if limit > 1 {
        limit = max(1, limit / 4)
      } else {
        // One alone is too large.
        leftOut.formUnion(samples.map(\.id))
        samples = []
        return batch(samples)
      }
    }
  }

  private func encode(_ found: [HKSample]) async throws -> [TransferSample] {
    let encoder = SampleEncoder(store: store, types: types)
    let correlations = try await encoder.correlations(of: found)
    var ids: Set<UUID> = []
    var samples: [TransferSample] = []
    for sample in found {
      let encoded = try await encoder.encode(sample)
      if encoded.isEmpty { leftOut.insert(sample.uuid) }
      var all: [TransferSample] = []
      for correlation in correlations[sample.uuid] ?? [] {
        all += try await encoder.encode(correlation)
      }
      samples += (all + encoded).filter { ids.insert($0.id).inserted }
    }
    return samples
  }

  private func predicates(
    of cursor: TransferProgress.Cursor
  ) -> [HKSamplePredicate<HKSample>] {
    let wanted = Set(cursor.types)
    return types.filter { wanted.contains($0.identifier) }.map { .sample(type: $0) }
  }
}
