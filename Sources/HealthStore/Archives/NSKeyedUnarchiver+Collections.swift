public import Foundation

#if !canImport(Darwin)
  // Foundation on Linux can only unarchive single objects.
  extension NSKeyedUnarchiver {
    /// Decodes an array whose elements belong to one class.
    ///
    /// - Parameters:
    ///   - cls: The class of the elements.
    ///   - data: The archive.
    /// - Returns: The elements, or nil if the archive has no root object.
    /// - Throws: A Foundation error if the archive cannot be read, and
    ///   `CocoaError.coderReadCorrupt` if the root object or an element belongs to another class.
    public static func unarchivedArrayOfObjects<DecodedObjectType>(
      ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedObjectType]?
    where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
      try objects(ofClasses: [cls], from: data)?.map { try cast($0) }
    }

    /// Decodes an array whose elements belong to one of several classes.
    ///
    /// Equivalent to ``unarchivedArrayOfObjects(ofClass:from:)`` with several classes.
    public static func unarchivedArrayOfObjects(
      ofClasses classes: [AnyClass], from data: Data
    ) throws -> [Any]? {
      try objects(ofClasses: classes, from: data)
    }

    /// Decodes a dictionary with one class of keys and one class of values.
    ///
    /// - Parameters:
    ///   - keyCls: The class of the keys.
    ///   - valueCls: The class of the values.
    ///   - data: The archive.
    /// - Returns: The dictionary, or nil if the archive has no root object.
    /// - Throws: A Foundation error if the archive cannot be read, and
    ///   `CocoaError.coderReadCorrupt` if the root object, a key or a value belongs to another
    ///   class.
    public static func unarchivedDictionary<DecodedKeyType, DecodedObjectType>(
      ofKeyClass keyCls: DecodedKeyType.Type, objectClass valueCls: DecodedObjectType.Type,
      from data: Data
    ) throws -> [DecodedKeyType: DecodedObjectType]?
    where
      DecodedKeyType: NSObject, DecodedKeyType: NSSecureCoding, DecodedObjectType: NSObject,
      DecodedObjectType: NSSecureCoding
    {
      guard let pairs = try pairs(ofKeyClasses: [keyCls], [valueCls], from: data) else {
        return nil
      }
      return Dictionary(try pairs.map { (try cast($0), try cast($1)) }) { $1 }
    }

    /// Decodes a dictionary with several classes of keys and several classes of values.
    ///
    /// Equivalent to ``unarchivedDictionary(ofKeyClass:objectClass:from:)`` with several classes.
    public static func unarchivedDictionary(
      ofKeyClasses keyClasses: [AnyClass], objectClasses valueClasses: [AnyClass],
      from data: Data
    ) throws -> [AnyHashable: Any]? {
      guard let pairs = try pairs(ofKeyClasses: keyClasses, valueClasses, from: data) else {
        return nil
      }
      return Dictionary(
        try pairs.map { key, value in
          guard let key = key as? AnyHashable else { throw CocoaError(.coderReadCorrupt) }
          return (key, value)
        }
      ) { $1 }
    }

    private static func objects(
      ofClasses classes: [AnyClass], from data: Data
    ) throws -> [Any]? {
      guard let root = try root(of: data) else { return nil }
      let array: NSArray = try cast(root)
      return try (0..<array.count).map { try checked(array.object(at: $0), classes) }
    }

    private static func pairs(
      ofKeyClasses keyClasses: [AnyClass], _ valueClasses: [AnyClass], from data: Data
    ) throws -> [(Any, Any)]? {
      guard let root = try root(of: data) else { return nil }
      let dictionary: NSDictionary = try cast(root)
      // The dictionary's iterator crashes if a malformed key is not found again.
      let keys = NSArray(array: dictionary.allKeys)
      return try (0..<keys.count).map { index in
        let key = keys.object(at: index)
        guard let value = dictionary.object(forKey: key) else {
          throw CocoaError(.coderReadCorrupt)
        }
        return (try checked(key, keyClasses), try checked(value, valueClasses))
      }
    }

    /// Returns the root object of an archive, of any class that supports secure coding.
    private static func root(of data: Data) throws -> Any? {
      let (archive, keys) = try ArchiveCheck.checked(data)
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
      // Foundation's class check crashes the process, so callers check the classes afterwards.
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      for key in keys {
        let element = unarchiver.decodeObject(forKey: key)
        if let error = unarchiver.error { throw error }
        if element == nil { throw CocoaError(.coderReadCorrupt) }
      }
      let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
      if let error = unarchiver.error { throw error }
      return root
    }

    /// Returns an object if it belongs to one of the classes.
    ///
    /// Foundation on Linux returns Swift values for some objects.
    private static func checked(_ object: Any, _ classes: [AnyClass]) throws -> Any {
      let value = bridged(object)
      guard classes.contains(where: { value.isKind(of: $0) }) else {
        throw CocoaError(.coderReadCorrupt)
      }
      return object
    }

    private static func cast<Object: NSObject>(_ object: Any) throws -> Object {
      guard let object = bridged(object) as? Object else { throw CocoaError(.coderReadCorrupt) }
      return object
    }

    private static func bridged(_ object: Any) -> NSObject {
      object as? NSObject ?? NSArray(array: [object]).object(at: 0) as AnyObject as? NSObject
        ?? NSNull()
    }
  }
#endif
