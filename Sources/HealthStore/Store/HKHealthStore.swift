public import Foundation
public import SampleLog

/// A store of health data: saves, deletes and queries.
///
/// Instances are cheap, and those with one directory address one store. Writes are durable when
/// they are reported done. Every object is visible to everybody: unlike Apple's, a server's store
/// asks nobody for permission, and deleting is not limited to objects of one's own source. Setting
/// ``authorization`` changes that for one handle, as tests of apps want it.
///
/// Methods may be called from any thread. Completion handlers run on background threads, and may
/// wait for as long as they like: what waits in one holds up nothing else.
///
/// ```swift
/// let store = try HKHealthStore(directory: directory)
/// try await store.requestAuthorization(toShare: [steps], read: [steps])
/// try await store.save(samples)
/// try await store.delete(samples[0])
/// ```
open class HKHealthStore: NSObject, @unchecked Sendable {
  let location: StoreLocation

  /// Whose data it is; a store holds many people's, and one object sees one of them only.
  public let subject: String

  let ownCalendar = Locked<Calendar?>(nil)

  let policy = Locked<AuthorizationPolicy?>(nil)

  let ownDevice = Locked<WorkoutDevice?>(nil)

  /// Makes an object for the default store, which opens on first use.
  ///
  /// Its directory is `HEALTHSTORE_PATH`, else `healthstore` in `XDG_DATA_HOME`, else
  /// `~/.local/share/healthstore`. Calls report an error when it cannot be opened.
  public override init() {
    location = .standard
    subject = ""
    super.init()
  }

  init(location: StoreLocation, subject: String) {
    self.location = location
    self.subject = subject
    super.init()
  }

  /// How a store is opened: durability, memory, retention.
  public typealias Options = Database.Options

  /// Makes an object for the store in a directory, which is made when it does not exist.
  ///
  /// Our addition. Objects for the same directory and mode share one open store in this process,
  /// with the options of the first. After the last object and the last running query have gone the
  /// store stays open for `options.idleTimeout` seconds, so that a server may make an object for
  /// each request; until then it is locked against writers in other processes. It closes at once
  /// when this process opens the directory with other options, in the other mode or with the
  /// engine's `Database`, when more than 16 stores are idle, and when the process exits. Opening
  /// blocks the calling thread.
  ///
  /// With `readOnly` the store may be open for writing in another process. Every call sees what was
  /// durable there when it began, and running queries report what is written later, within about
  /// `options.refreshInterval` seconds. Saving and deleting report `errorDatabaseInaccessible`.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - mode: What the store is opened for; a directory is made for writing only.
  ///   - subject: Whose data the object sees.
  ///   - options: How the store is opened.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when it cannot be opened.
  public init(
    directory: URL, mode: OpenMode = .readWrite, subject: String = "", options: Options = Options()
  ) throws {
    do {
      location = .open(try StoreRegistry.shared.open(directory, mode: mode, options: options))
    } catch {
      throw HKError.from(error)
    }
    self.subject = subject
    super.init()
  }

  /// Makes an object for a database that is open already and stays its owner's to close.
  ///
  /// Our addition, for programs that use the engine as well.
  public init(database: Database, subject: String = "") {
    location = .open(OpenStore(database))
    self.subject = subject
    super.init()
  }

  /// Returns a new, empty store in memory, gone when its last object is.
  ///
  /// Our addition, for tests and for data that must not be kept.
  public class func inMemory(
    subject: String = "", options: Options = Options()
  ) -> HKHealthStore {
    HKHealthStore(location: .memory(MemoryStore(options: options)), subject: subject)
  }

  /// Whether health data can be stored, which it can.
  open class func isHealthDataAvailable() -> Bool { true }

  // MARK: Writing

  /// Saves an object.
  ///
  /// The same as saving an array of one.
  @preconcurrency
  open func save(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.save([object], subject: subject, policy: policy)
    }
  }

  /// Saves an object, or throws what the form with a handler reports.
  open func save(_ object: HKObject) async throws {
    try await attempt { self.save(object, withCompletion: $0) }
  }

  /// Saves objects: all of them or none.
  ///
  /// Objects get the running program as their source unless they were made with another. One
  /// with a sync identifier replaces the stored one of the same source, type and identifier if its
  /// version is greater; if not, nothing changes and that is no error. A correlation's objects are
  /// saved with it. Reports `errorInvalidArgument` for an object that is in the store already, that
  /// occurs twice, or that is not valid, `errorDatabaseInaccessible` when writing fails, and with a
  /// policy `errorAuthorizationDenied` or `errorAuthorizationNotDetermined` where it says so of a
  /// type.
  @preconcurrency
  open func save(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.save(objects, subject: subject, policy: policy)
    }
  }

  /// Saves objects, or throws what the form with a handler reports.
  ///
  /// - Throws: `CancellationError` when the task was cancelled before; later it has no effect.
  open func save(_ objects: [HKObject]) async throws {
    try await attempt { self.save(objects, withCompletion: $0) }
  }

  /// Deletes an object.
  ///
  /// The same as deleting an array of one.
  @preconcurrency
  open func delete(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.delete([object], subject: subject, policy: policy)
    }
  }

  /// Deletes an object, or throws what the form with a handler reports.
  open func delete(_ object: HKObject) async throws {
    try await attempt { self.delete(object, withCompletion: $0) }
  }

  /// Deletes objects: all of them or none.
  ///
  /// Reports `errorInvalidArgument` for an empty array and for an object that is not in the store.
  /// The objects of a deleted correlation stay. Unlike Apple's, anyone's objects may be deleted,
  /// unless there is a policy: then `errorAuthorizationDenied` is reported for those that another
  /// source saved, as for types whose sharing was denied.
  @preconcurrency
  open func delete(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.delete(objects, subject: subject, policy: policy)
    }
  }

  /// Deletes objects, or throws what the form with a handler reports.
  open func delete(_ objects: [HKObject]) async throws {
    try await attempt { self.delete(objects, withCompletion: $0) }
  }

  /// Deletes the objects of a type that match a predicate, and reports how many there were.
  ///
  /// None is a success. They are deleted in one commit, all or none, unless there are more than a
  /// commit may have (4,194,304): then in several, each whole. Reports `errorInvalidArgument` for a
  /// type that has no samples. With a policy only the program's own objects are deleted.
  @preconcurrency
  open func deleteObjects(
    of objectType: HKObjectType, predicate: NSPredicate,
    withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
  ) {
    let shared = SharedPredicate(predicate)
    write({ store, subject, policy in
      try store.deleteObjects(
        of: objectType, predicate: shared.value, subject: subject, policy: policy)
    }) { result in
      switch result {
      case .success(let count): completion(true, count, nil)
      case .failure(let error): completion(false, 0, error)
      }
    }
  }

  /// Deletes the objects of a type that match a predicate, and returns how many there were.
  @discardableResult
  open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      deleteObjects(of: objectType, predicate: predicate) { _, count, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: count)
        }
      }
    }
  }

  // MARK: Queries

  /// Runs a query, whose handlers are called on a queue of its own.
  ///
  /// - Precondition: The query was not executed before.
  open func execute(_ query: HKQuery) {
    query.execution.start(query, on: self)
  }

  /// Ends a query: no call of its handlers begins after this returns.
  ///
  /// A call that is under way may go on. Nothing happens when the query has ended or was never
  /// executed; the latter may still be executed.
  open func stop(_ query: HKQuery) {
    query.execution.stop()
  }

  // MARK: Authorisation

  /// Whether samples of a type may be saved: what the policy says, and always without one.
  ///
  /// Types without samples, such as characteristics, are denied.
  open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    guard let type = type as? HKSampleType else { return .sharingDenied }
    guard let authorization else { return .sharingAuthorized }
    return switch authorization.answer(toShare: type) {
    case .granted: .sharingAuthorized
    case .denied: .sharingDenied
    case nil: .notDetermined
    }
  }

  /// Asks for permission to share and to read types, and reports that the request was handled.
  ///
  /// Without a policy that needs nobody. With one its `requestHandler` is asked about the types
  /// that have no answer yet, and ``authorization`` records what it says. Success does not mean
  /// that anything was granted; an error is what the handler threw.
  ///
  /// - Precondition: None is a correlation type: request authorisation for the types of the
  ///   contained samples. ``validateAuthorizationRequest(toShare:read:)`` throws where this ends
  ///   the process.
  @preconcurrency
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let request = AuthorizationRequest(toShare: typesToShare ?? [], read: typesToRead ?? [])
    request.trapUnlessAllowed()
    WorkerPool.shared.async {
      WorkerPool.lend {
        do {
          try self.authorize(request)
          completion(true, nil)
        } catch {
          completion(false, HKError.from(error))
        }
      }
    }
  }

  /// Asks for permission, or throws what the form with a handler reports.
  ///
  /// - Precondition: As for the form with a handler.
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {
    try await attempt {
      self.requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
    }
  }

  /// Reports whether requesting authorisation for these types would ask the person.
  ///
  /// - Precondition: As for ``requestAuthorization(toShare:read:completion:)``.
  @preconcurrency
  open func getRequestStatusForAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
    completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
  ) {
    let request = AuthorizationRequest(toShare: typesToShare, read: typesToRead)
    request.trapUnlessAllowed()
    let isAnswered = authorization?.unanswered(request).isEmpty ?? true
    WorkerPool.shared.async {
      WorkerPool.lend { completion(isAnswered ? .unnecessary : .shouldRequest, nil) }
    }
  }

  /// Returns whether requesting authorisation for these types would ask the person.
  ///
  /// - Precondition: As for ``requestAuthorization(toShare:read:completion:)``.
  open func statusForAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws -> HKAuthorizationRequestStatus {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) { status, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: status)
        }
      }
    }
  }

  /// The earliest date that samples may have: there is no limit, so the distant past.
  open func earliestPermittedSampleDate() -> Date { .distantPast }

  /// Whether clinical records are supported, which they are.
  open func supportsHealthRecords() -> Bool { true }
}
