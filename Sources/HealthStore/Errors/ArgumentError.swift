/// An error that an argument of the caller causes.
///
/// As an ``HKError`` it is `errorInvalidArgument` with the error's description.
protocol ArgumentError: Error, CustomStringConvertible {}
