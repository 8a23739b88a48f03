import SampleLog

@testable import SampleLogReplication
@testable import SampleLogSimulation

/// A stream that also keeps the values of transfers, with faults.
final class CopyValues: ForwardingStream {
  struct Faults {
    /// One in this many values is lost, and one in as many answers is stale; 0 for none.
    var oneIn = 0
    /// Changes the values that are stored.
    var change: (CopyKey, [UInt8]) -> [UInt8] = { $1 }
  }

  private struct State {
    var values: [CopyKey: [[UInt8]]] = [:]
    var random = Seeded(mixing: 1, 2)
  }

  let stream: SharedStream
  private let state = Locked(State())
  nonisolated(unsafe) var faults = Faults()

  init(_ stream: SharedStream) { self.stream = stream }

  private func isFaulty(_ state: inout State) -> Bool {
    faults.oneIn > 0 && state.random.oneIn(faults.oneIn)
  }

  /// The greatest number of values that were kept at the same time.
  var valueCount: Int { state.withLock { $0.values.count } }

  func put(_ value: [UInt8], under key: CopyKey) throws {
    let value = faults.change(key, value)
    state.withLock { state in
      if isFaulty(&state) { return }
      state.values[key] = state.values[key, default: []].suffix(1) + [value]
    }
  }

  func value(under key: CopyKey) throws -> [UInt8]? {
    state.withLock { state in
      isFaulty(&state) ? state.values[key]?.first : state.values[key]?.last
    }
  }

  var transfersCopies: Bool { true }

  func copyRequests() throws -> [[UInt8]] {
    state.withLock { state in
      state.values.compactMap { key, values in
        guard case .request = key else { return nil }
        return values.last
      }
    }
  }
}

/// The sources of copies, stepped by the receiver's waits.
final class CopySources {
  private var sources: [(source: CopySource, sending: CopySending?)] = []
  /// The number of transfers that were begun.
  private(set) var count = 0

  init(_ sources: CopySource...) { self.sources = sources.map { ($0, nil) } }

  /// Removes the sources, like the end of their processes.
  func end(_ index: Int) { sources.remove(at: index) }

  func step() throws {
    for index in sources.indices {
      if sources[index].sending == nil {
        sources[index].sending = sources[index].source.accept()
        count += sources[index].sending == nil ? 0 : 1
      }
      switch try sources[index].sending?.step() {
      case .ended, .unanswered: sources[index].sending = nil
      case .sent, .waiting, nil: break
      }
    }
  }
}
