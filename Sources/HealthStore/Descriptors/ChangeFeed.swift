import Foundation
import SampleLog

/// Reads changes for one iterator: performs what `ChangeFeedState` decides.
final class ChangeFeed: Sendable {
  private let healthStore: HKHealthStore
  private let anchor: HKQueryAnchor?
  private let limit: Int
  private let makePlan: @Sendable (StoreReader) throws -> QueryPlan
  private let state = Locked(ChangeFeedState())
  private let source = Locked<Source?>(nil)

  /// What is known once reading has begun.
  private struct Source: Sendable {
    var reader: StoreReader
    var plan: QueryPlan
    var bell: LiveFeed
    /// Where the first pass began, as long as pages of it are read.
    var begun: UInt64
  }

  init(
    _ healthStore: HKHealthStore, anchor: HKQueryAnchor?, limit: Int,
    plan: @escaping @Sendable (StoreReader) throws -> QueryPlan
  ) {
    self.healthStore = healthStore
    self.anchor = anchor
    self.limit = limit
    makePlan = plan
  }

  deinit { source.withLock { $0?.bell.cancel() } }

  /// The next changes; `nil` when the feed has ended.
  func next() async throws -> (ObjectChanges, HKQueryAnchor)? {
    if try state.withLock({ try $0.checkEnd() }) { return nil }
    do {
      if state.withLock({ $0.beginFirst() }) { return try await first() }
      while true {
        try await waitForBell()
        if let found = try await read() { return found }
      }
    } catch {
      end(with: nil)
      throw error
    }
  }

  private func first() async throws -> (ObjectChanges, HKQueryAnchor) {
    let found = try await healthStore.reading { store, subject in
      let reader = StoreReader(store, subject: subject)
      let plan = try self.makePlan(reader)
      let place = try reader.place(of: self.anchor)
      let bell = LiveFeed(store, series: plan.series, after: place.sequence) { [weak self] in
        self?.ring()
      } end: { [weak self] in
        self?.end(with: HKError.storeClosed)
      }
      let source = Source(reader: reader, plan: plan, bell: bell, begun: place.begun)
      self.source.withLock { $0 = source }
      return try self.read(source, after: place.sequence)
    }
    try Task.checkCancellation()
    return found
  }

  /// Reads on; `nil` when nothing of interest has changed.
  private func read() async throws -> (ObjectChanges, HKQueryAnchor)? {
    guard let source = source.withLock({ $0 }), let place = source.bell.beginReading() else {
      return nil
    }
    let found = try await healthStore.reading { _, _ in
      try self.read(source, after: place)
    }
    try Task.checkCancellation()
    return found.0.isEmpty ? nil : found
  }

  private func read(
    _ source: Source, after place: UInt64
  ) throws -> (ObjectChanges, HKQueryAnchor) {
    let changes = try source.reader.changes(
      source.plan, after: place, begun: source.begun, limit: limit)
    self.source.withLock { $0?.begun = changes.begun }
    if source.bell.endReading(at: changes.end, isCut: changes.isCut) { ring() }
    return (changes, source.reader.anchor(after: changes))
  }

  private func ring() {
    state.withLock { $0.ring() }?.resume()
  }

  private func end(with error: (any Error)?) {
    let waiter = state.withLock { $0.end(error) }
    if let waiter { waiter.resume(throwing: error ?? CancellationError()) }
    source.withLock { $0 }?.bell.cancel()
  }

  private func waitForBell() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch state.withLock({ $0.wait(continuation) }) {
        case .wait: break
        case .go: continuation.resume()
        case .fail(let error): continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      end(with: CancellationError())
    }
  }
}
