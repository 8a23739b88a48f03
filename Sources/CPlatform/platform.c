// The system calls behind CPlatform.h, for Linux and Apple systems.

#define _GNU_SOURCE
#include "CPlatform.h"

#if defined(__linux__)
#include <malloc.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#else
#include <stdlib.h>
#include <sys/file.h>
#endif

int cplatform_preallocate(int fd, int64_t length) {
#if defined(__linux__)
  int result;
  do {
    result = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, length);
  } while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
#else
  (void)fd;
  (void)length;
  return EOPNOTSUPP;
#endif
}

_Thread_local cplatform_inline_work cplatform_thread_inline_work;

int64_t cplatform_read_cached(int fd, void *bytes, size_t count, int64_t offset) {
#if defined(RWF_NOWAIT)
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  ssize_t got = preadv2(fd, &part, 1, offset, RWF_NOWAIT);
  return got == (ssize_t)count ? got : -1;
#else
  (void)fd;
  (void)bytes;
  (void)count;
  (void)offset;
  return -1;
#endif
}

int64_t cplatform_next_data(int fd, int64_t offset) {
#if defined(SEEK_DATA)
  int64_t next = lseek(fd, offset, SEEK_DATA);
  if (next < 0 && errno == ENXIO) next = lseek(fd, 0, SEEK_END);
  return next;
#else
  (void)fd;
  (void)offset;
  return -1;
#endif
}

int cplatform_sync_data(int fd) {
#if defined(__linux__)
  return fdatasync(fd) == 0 ? 0 : errno;
#else
  // On Apple systems, fsync only reaches the drive's cache; F_FULLFSYNC flushes the cache.
  return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : errno;
#endif
}

int cplatform_try_lock(int fd) {
#if defined(__linux__)
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(fd, F_OFD_SETLK, &lock) == 0) return 0;
  return errno == EACCES || errno == EAGAIN ? EWOULDBLOCK : errno;
#else
  return flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
#endif
}

void cplatform_unlock(int fd) {
#if defined(__linux__)
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_UNLCK;
  lock.l_whence = SEEK_SET;
  (void)fcntl(fd, F_OFD_SETLK, &lock);
#else
  (void)flock(fd, LOCK_UN);
#endif
}

void cplatform_advise_large_pages(void *bytes, size_t count) {
#if defined(__linux__)
  // The range must start at a page boundary. A failure only costs speed.
  uintptr_t begin = ((uintptr_t)bytes + 4095) & ~(uintptr_t)4095;
  uintptr_t end = (uintptr_t)bytes + count;
  if (begin < end) (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
  (void)bytes;
  (void)count;
#endif
}

void cplatform_release_free_memory(void) {
#if defined(__GLIBC__)
  (void)malloc_trim(0);
#endif
}

uintptr_t cplatform_current_thread(void) { return (uintptr_t)pthread_self(); }

int cplatform_random(void *bytes, size_t count) {
#if defined(__linux__)
  unsigned char *next = bytes;
  while (count > 0) {
    ssize_t got = getrandom(next, count, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    next += got;
    count -= (size_t)got;
  }
  return 0;
#else
  arc4random_buf(bytes, count);
  return 0;
#endif
}
