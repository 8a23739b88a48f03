public import Foundation
public import HealthKit

/// An uploader that sends the contents of a HealthKit store, and its changes, to a server.
///
/// The uploader creates one batch at a time from the results of an anchored query, and continues
/// when the server has acknowledged it. A batch that was not acknowledged is created again, whether
/// or not the server has received it.
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
  /// The acknowledged progress, which the app must store.
  public private(set) var progress: TransferProgress
  /// The samples that are not sent, because they are too large for a batch or of an unsupported
  /// type.
  public private(set) var leftOut: Set<UUID> = []

  /// Creates an uploader.
  ///
  /// - Parameters:
  ///   - store: The subject's store.
  ///   - types: The types to send, for which the app has requested read access. Types that are
  ///     added later are sent from the beginning.
  ///   - progress: The stored progress, or a new one if the app has sent nothing.
  ///   - batchSize: The maximum number of samples that a query returns at once. Values below 1 are
  ///     treated as 1.
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

  /// Creates the next batch.
  ///
  /// Each call creates the same batch again, possibly with newer data, until ``take(_:)``
  /// acknowledges it.
  ///
  /// - Returns: The batch, or nil if the server has everything.
  /// - Throws: The errors of HealthKit's queries.
  public func nextBatch() async throws -> TransferBatch? {
    for cursor in progress.cursors {
      if let batch = try await batch(of: cursor) { return batch }
    }
    return nil
  }

  /// Updates the progress from the reply to a batch.
  ///
  /// Replies may arrive late, more than once or out of order.
  ///
  /// - Throws: ``TransferError/gap(wanted:)`` if the server has lost batches, for example because a
  ///   backup was restored or the subject was erased; ``rewind(to:)`` sends them again.
  ///   ``TransferError/anotherBatch(number:)`` if another phone uses the same device identifier;
  ///   ``restart(as:)`` continues with a new one. ``TransferError/anotherDevice(_:)`` for a reply
  ///   to another device, and ``TransferError/implausible(_:)`` for an invalid reply. After an
  ///   error, the progress is unchanged.
  public func take(_ reply: TransferReply) throws(TransferError) { try progress.take(reply) }

  /// Resets the progress to that in a reply, so that data the server has lost is sent again.
  ///
  /// - Throws: ``TransferError/anotherDevice(_:)`` for a reply to another device, and
  ///   ``TransferError/implausible(_:)`` for an invalid reply.
  public func rewind(to reply: TransferReply) throws(TransferError) {
    try progress.rewind(to: reply)
  }

  /// Continues as another device, as ``TransferProgress/restart(as:)`` does.
  public func restart(as device: UUID = UUID()) { progress.restart(as: device) }

  /// Sends batches until the server has everything.
  ///
  /// If the server has other data under the device identifier, the upload continues under a new
  /// one.
  ///
  /// - Parameters:
  ///   - send: Sends the bytes of a batch and returns the bytes of the reply.
  ///   - save: Stores the progress; called after each reply.
  /// - Throws: The errors of `send`, `save`, ``nextBatch()`` and ``take(_:)``. The next call
  ///   resumes at the same position.
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
        // A single sample exceeds the limit.
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
