// Optional access to the value and the error of a result.
extension Result {
  /// The value, or nil after a failure.
  var success: Success? { if case .success(let value) = self { value } else { nil } }

  /// The error, or nil after a success.
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
