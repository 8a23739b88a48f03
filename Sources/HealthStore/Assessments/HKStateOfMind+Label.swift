extension HKStateOfMind {
  /// A word that describes a feeling.
  public enum Label: Int, Hashable, Sendable {
    /// Feeling amazed.
    case amazed = 1

    /// Feeling amused.
    case amused = 2

    /// Feeling angry.
    case angry = 3

    /// Feeling anxious.
    case anxious = 4

    /// Feeling ashamed.
    case ashamed = 5

    /// Feeling brave.
    case brave = 6

    /// Feeling calm.
    case calm = 7

    /// Feeling content.
    case content = 8

    /// Feeling disappointed.
    case disappointed = 9

    /// Feeling discouraged.
    case discouraged = 10

    /// Feeling disgusted.
    case disgusted = 11

    /// Feeling embarrassed.
    case embarrassed = 12

    /// Feeling excited.
    case excited = 13

    /// Feeling frustrated.
    case frustrated = 14

    /// Feeling grateful.
    case grateful = 15

    /// Feeling guilty.
    case guilty = 16

    /// Feeling happy.
    case happy = 17

    /// Feeling hopeless.
    case hopeless = 18

    /// Feeling irritated.
    case irritated = 19

    /// Feeling jealous.
    case jealous = 20

    /// Feeling joyful.
    case joyful = 21

    /// Feeling lonely.
    case lonely = 22

    /// Feeling passionate.
    case passionate = 23

    /// Feeling peaceful.
    case peaceful = 24

    /// Feeling proud.
    case proud = 25

    /// Feeling relieved.
    case relieved = 26

    /// Feeling sad.
    case sad = 27

    /// Feeling scared.
    case scared = 28

    /// Feeling stressed.
    case stressed = 29

    /// Feeling surprised.
    case surprised = 30

    /// Feeling worried.
    case worried = 31

    /// Feeling annoyed.
    case annoyed = 32

    /// Feeling confident.
    case confident = 33

    /// Feeling drained.
    case drained = 34

    /// Feeling hopeful.
    case hopeful = 35

    /// Feeling indifferent.
    case indifferent = 36

    /// Feeling overwhelmed.
    case overwhelmed = 37

    /// Feeling satisfied.
    case satisfied = 38
  }
}
