import Foundation

/// Passes a built sample to `HKObject.init(coder:)`.
///
/// The only initialiser that every subclass of a sample class is certain to have is the required
/// `init(coder:)`. Factory initialisers therefore call it with a coder that holds the fields.
final class BuiltSampleTransfer: NSCoder {
  let built: BuiltSample

  init(_ built: BuiltSample) {
    self.built = built
    super.init()
  }
}

extension NSObjectProtocol where Self: HKObject {
  /// Returns `made` if it is a `Self`, or else a `Self` with the same fields.
  static func assume(_ made: HKObject, _ built: BuiltSample) -> Self {
    if let made = made as? Self { return made }
    guard Self.accepts(built), let own = Self(coder: BuiltSampleTransfer(built)) else {
      fatalError("\(Self.self) cannot hold a sample of \(built.sampleType.identifier).")
    }
    return own
  }
}

extension BuiltSample {
  /// Returns the result of `body`, or traps with the error's description where HealthKit raises an
  /// exception.
  static func orTrap(_ body: () throws(HKInvalidSampleError) -> BuiltSample) -> BuiltSample {
    do {
      return try body()
    } catch {
      fatalError(error.description)
    }
  }
}
