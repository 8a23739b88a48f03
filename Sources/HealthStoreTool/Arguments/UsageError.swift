/// An error in the arguments, as one sentence that states the remedy.
struct UsageError: Error, Equatable {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
