import Foundation

/// The state of an `HKHealthStore` that can change.
struct HandleState {
  var location: StoreLocation
  /// The permissions of the program, or nil for full access.
  var policy: AuthorizationPolicy?
  /// The calendar for statistics, or nil for the current one.
  var calendar: Calendar?

  /// Creates the state of a new object.
  init(location: StoreLocation) { self.location = location }
}
