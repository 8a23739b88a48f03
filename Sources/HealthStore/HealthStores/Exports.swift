// Apple's framework re-exports Foundation, Dispatch and Observation, and much code relies on it.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import Observation
// Options, events and results are the engine's: clients use their members, but not names such as
// `Database`, which other packages have as well.
@_exported public import enum SampleLog.SampleLogMembers
