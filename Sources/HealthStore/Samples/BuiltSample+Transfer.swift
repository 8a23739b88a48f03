import Foundation

/// Carries a built sample into `HKObject.init(coder:)`.
///
/// A program's own subclass of a sample class has one initialiser that is sure to exist: the
/// required one that decodes. So a factory initialiser reaches it through a coder that holds the
/// fields ready-made.
final class BuiltSampleTransfer: NSCoder {
  let built: BuiltSample

  init(_ built: BuiltSample) {
    self.built = built
    super.init()
  }
}

extension NSObjectProtocol where Self: HKObject {
  /// Returns `made` when it is a `Self`, else a `Self` with the same fields.
  static func assume(_ made: HKObject, _ built: BuiltSample) -> Self {
    if let made = made as? Self { return made }
    guard Self.accepts(built), let own = Self(coder: BuiltSampleTransfer(built)) else {
      fatalError("\(Self.self) cannot hold a sample of \(built.sampleType.identifier).")
    }
    return own
  }
}

extension BuiltSample {
  /// Runs `body`, and traps with the error's sentence where HealthKit raises an exception.
  static func orTrap(_ body: () throws(HKInvalidSampleError) -> BuiltSample) -> BuiltSample {
    do {
      return try body()
    } catch {
      fatalError(error.description)
    }
  }
}
