import Foundation
import SampleLog

/// Reads the changes for one iterator of a descriptor.
final class DescriptorFeed: Sendable {
  private let healthStore: HKHealthStore
  private let anchor: HKQueryAnchor?
  private let limit: Int
  private let makePlan: @Sendable (StoreReader) throws -> QueryPlan
  private let state = Locked(DescriptorFeedState.quiet)
  private let source = Locked<Source?>(nil)

  /// What is known once reading has begun.
  private struct Source: Sendable {
    let reader: StoreReader
    let feed: ChangeFeed
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

  /// The next changes, at first also if there are none; `nil` when the feed has ended.
  func next() async throws -> ObjectChanges? {
    if try state.withLock({ try $0.checkEnd() }) { return nil }
    do {
      if source.withLock({ $0 == nil }), let first = try await read() { return first }
      while true {
        if source.withLock({ $0?.feed.isReady == true }) {
          if let changes = try await read(), !changes.isEmpty { return changes }
        } else {
          try await wait()
        }
      }
    } catch {
      end(with: nil)
      throw error
    }
  }

  private func read() async throws -> ObjectChanges? {
    let changes = try await healthStore.reading { store, subject in
      let source = try self.source(store, subject)
      return try source.feed.next(limit: self.limit > 0 ? self.limit : nil).map {
        try source.reader.objects($0)
      }
    }
    try Task.checkCancellation()
    return changes
  }

  private func source(_ store: OpenStore, _ subject: String) throws -> Source {
    try source.withLock { source in
      if let source { return source }
      let reader = StoreReader(store, subject: subject)
      let feed = try ChangeFeed(
        store.database, after: anchor?.anchor ?? .beginning, of: makePlan(reader).selection
      ) { [weak self] in
        self?.state.withLock { $0.notify() }?.resume()
      }
      let new = Source(reader: reader, feed: feed)
      source = new
      return new
    }
  }

  private func end(with error: (any Error)?) {
    let waiter = state.withLock { $0.end(error) }
    waiter?.resume(throwing: error ?? CancellationError())
    source.withLock { $0 }?.feed.cancel()
  }

  private func wait() async throws {
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
