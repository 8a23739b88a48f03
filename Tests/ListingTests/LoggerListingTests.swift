import HealthKit
import Testing

/// The lines that attach a logger, with stand-ins that have the signatures of swift-log and OSLog,
/// because neither is a dependency.
@Suite struct LoggerListingTests {
  @Test func `swift-log receives each event on one line`() throws {
    let logger = SwiftLog.Logger()
    var options = HKHealthStore.Options()

    options.onEvent = { logger.log(level: $0.isProblem ? .warning : .info, "\($0)") }

    #expect(options.onEvent != nil)
  }

  @Test func `OSLog receives each event on one line`() throws {
    let logger = OSLog.Logger()
    var options = HKHealthStore.Options()

    options.onEvent = {
      logger.log(level: $0.isProblem ? .error : .info, "\($0, privacy: .public)")
    }

    #expect(options.onEvent != nil)
  }
}

private enum SwiftLog {
  struct Message: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) {}
  }

  struct Logger {
    enum Level { case info, warning }

    func log(
      level: Level, _ message: @autoclosure () -> Message, file: String = #fileID,
      line: UInt = #line
    ) {}
  }
}

private enum OSLog {
  enum Privacy { case `public` }
  enum Level { case info, error }

  struct Interpolation: StringInterpolationProtocol {
    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) {}
    mutating func appendInterpolation<T: CustomStringConvertible>(
      _ value: @autoclosure () -> T, privacy: Privacy
    ) {}
  }

  struct Message: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) {}
    init(stringInterpolation: Interpolation) {}
  }

  struct Logger { func log(level: Level, _ message: Message) {} }
}
