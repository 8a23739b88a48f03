/// An error with a sentence for the user.
struct DoorError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
