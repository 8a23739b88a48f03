/// An error in the arguments, as one sentence that says what to do.
struct UsageError: Error, Equatable {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
