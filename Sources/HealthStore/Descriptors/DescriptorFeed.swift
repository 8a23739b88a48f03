import Foundation
import SampleLog

/// The change feed behind one iterator of a descriptor.
final class DescriptorFeed<Element: Sendable>: Sendable {
  /// The state that exists once reading has begun.
  struct Source: Sendable {
    let feed: ChangeFeed
    /// Reads the next element.
    ///
    /// The parameter is true for the first one. Returns nil if there is nothing to deliver.
    let read: @Sendable (_ isFirst: Bool) throws -> Element?
  }

  private let healthStore: HKHealthStore
  private let begin: @Sendable (StoreReader, @escaping @Sendable () -> Void) throws -> Source
  private let state = Locked(DescriptorFeedState.quiet)
  private let source = Locked<Source?>(nil)

  /// Creates a feed.
  ///
  /// `begin` is called when iteration begins, with the notification handler for the change feed.
  init(
    _ healthStore: HKHealthStore,
    begin: @escaping @Sendable (StoreReader, @escaping @Sendable () -> Void) throws -> Source
  ) {
    self.healthStore = healthStore
    self.begin = begin
  }

  /// Returns the next element, or `nil` if the feed has ended.
  func next() async throws -> Element? {
    if try state.withLock({ try $0.checkEnd() }) { return nil }
    do {
      if source.withLock({ $0 == nil }), let first = try await read(isFirst: true) {
        return first
      }
      while true {
        if source.withLock({ $0?.feed.isReady == true }) {
          if let element = try await read(isFirst: false) { return element }
        } else {
          try await wait()
        }
      }
    } catch {
      end(with: nil)
      throw error
    }
  }

  private func read(isFirst: Bool) async throws -> Element? {
    let element = try await healthStore.reading { reader in
      try self.source(reader).read(isFirst)
    }
    try Task.checkCancellation()
    return element
  }

  private func source(_ reader: StoreReader) throws -> Source {
    try source.withLock { source in
      if let source { return source }
      let new = try begin(reader) { [weak self] in
        self?.state.withLock { $0.notify() }?.resume()
      }
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
