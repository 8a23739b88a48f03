// Apple's framework re-exports Foundation, Dispatch and Observation, and much code relies on it.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import Observation
// A store's options are the engine's.
@_exported public import class SampleLog.Database
@_exported public import enum SampleLog.OpenMode
@_exported public import struct SampleLog.StoreEvent
