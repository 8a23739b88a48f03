import Foundation

/// The state of an `HKHealthStore` that can change.
struct HandleState {
  var location: StoreLocation { didSet { reader = nil } }
  /// The permissions of the program, or nil for full access.
  var policy: AuthorizationPolicy? { didSet { reader = nil } }
  /// The calendar for statistics, or nil for the current one.
  var calendar: Calendar? { didSet { reader = nil } }
  /// The reader for calls that are answered inline, created by the first such call.
  var reader: StoreReader?

  /// Creates the state of a new object.
  init(location: StoreLocation) { self.location = location }
}
