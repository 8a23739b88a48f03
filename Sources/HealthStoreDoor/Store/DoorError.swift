/// An error with a message for the user.
struct DoorError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
