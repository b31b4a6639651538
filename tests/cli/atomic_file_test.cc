#include "logitchain/cli/atomic_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

mode_t PermissionsOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

bool IsLink(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

TEST(AtomicFileTest, AppearsAtCommit) {
  TempFolder folder;
  auto file = AtomicFile::Create(folder.Path("new"));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE((*file)->Append("one ").ok());
  ASSERT_TRUE((*file)->Append("two").ok());
  ASSERT_TRUE((*file)->Overwrite(0, "ONE").ok());
  ASSERT_TRUE((*file)->Append("!").ok());
  EXPECT_NE(access(folder.Path("new").c_str(), F_OK), 0);
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(folder.Read("new"), "ONE two!");
  EXPECT_THAT(folder.Names(), ElementsAre("new"));
}

TEST(AtomicFileTest, LeavesTheOldFileAloneWithoutCommit) {
  TempFolder folder;
  const std::string path = folder.Write("file", "old");
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE((*file)->Append("new").ok());
    EXPECT_EQ(folder.Read("file"), "old");
  }
  EXPECT_EQ(folder.Read("file"), "old");
  EXPECT_THAT(folder.Names(), ElementsAre("file"));
}

// As on a file system that has no files without a name.
TEST(AtomicFileTest, ATemporaryWithANameIsRemoved) {
  TempFolder folder;
  const std::string path = folder.Write("file", "old");
  for (const bool commits : {false, true}) {
    {
      auto file = AtomicFile::Create(path, AtomicFile::Temporary::kNamed);
      ASSERT_TRUE(file.ok()) << file.status();
      ASSERT_TRUE((*file)->Append("new").ok());
      EXPECT_EQ(folder.Names().size(), 2u);
      if (commits) {
        EXPECT_TRUE((*file)->Commit().ok());
      }
    }
    EXPECT_EQ(folder.Read("file"), commits ? "new" : "old");
    EXPECT_THAT(folder.Names(), ElementsAre("file"));
  }
}

// Of a process that a signal ends in the middle of its writing nothing stays.
TEST(AtomicFileTest, AKilledProcessLeavesNothingBehind) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGKILL}) {
    TempFolder folder;
    folder.Write("file", "old");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto file = AtomicFile::Create(folder.Path("file"));
      if (!file.ok() || !(*file)->Append("half").ok()) _exit(1);
      raise(signal_number);
      _exit(2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), signal_number);
    EXPECT_THAT(folder.Names(), ElementsAre("file"));
    EXPECT_EQ(folder.Read("file"), "old");
  }
}

TEST(AtomicFileTest, WritersOfOneFileDoNotDisturbEachOther) {
  TempFolder folder;
  auto first = AtomicFile::Create(folder.Path("file"));
  auto second = AtomicFile::Create(folder.Path("file"));
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_TRUE((*first)->Append("first").ok());
  ASSERT_TRUE((*second)->Append("second").ok());
  ASSERT_TRUE((*second)->Commit().ok());
  EXPECT_EQ(folder.Read("file"), "second");
  ASSERT_TRUE((*first)->Commit().ok());
  EXPECT_EQ(folder.Read("file"), "first");
}

TEST(AtomicFileTest, NothingMayFollowCommit) {
  TempFolder folder;
  auto file = AtomicFile::Create(folder.Path("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE((*file)->Commit().ok());
  for (const absl::Status& status :
       {(*file)->Append("x"), (*file)->Overwrite(0, "x"), (*file)->Commit()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("is committed already"));
  }
  EXPECT_EQ(folder.Read("file"), "");
}

// Lets files grow to this size only, as a full disk would.
class ScopedFileSizeLimit {
 public:
  explicit ScopedFileSizeLimit(rlim_t bytes) {
    old_handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit = {bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ScopedFileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_;
  sighandler_t old_handler_;
};

TEST(AtomicFileTest, AFailedWriteCannotBeCommitted) {
  TempFolder folder;
  const std::string path = folder.Write("file", "old");
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file.ok()) << file.status();
    absl::Status status;
    {
      ScopedFileSizeLimit limit(100);
      status = (*file)->Append(std::string(200, 'x'));
    }
    EXPECT_THAT(std::string(status.message()), StartsWith(path + ": "));
    EXPECT_THAT(status.ToString(), HasSubstr("File too large"));
    EXPECT_EQ((*file)->Append("y").code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ((*file)->Commit().code(), absl::StatusCode::kFailedPrecondition);
  }
  EXPECT_EQ(folder.Read("file"), "old");
  EXPECT_THAT(folder.Names(), ElementsAre("file"));
}

TEST(AtomicFileTest, ANewFileRespectsTheUmask) {
  TempFolder folder;
  const mode_t old_mask = umask(027);
  EXPECT_TRUE(WriteFileAtomically(folder.Path("file"), "x").ok());
  umask(old_mask);
  EXPECT_EQ(PermissionsOf(folder.Path("file")), 0640u);
}

TEST(AtomicFileTest, AReplacedFileKeepsItsPermissions) {
  TempFolder folder;
  for (const mode_t permissions : {0600u, 0755u, 0666u}) {
    const std::string path = folder.Write("file", "old");
    ASSERT_EQ(chmod(path.c_str(), permissions), 0);
    ASSERT_TRUE(WriteFileAtomically(path, "new").ok());
    EXPECT_EQ(folder.Read("file"), "new");
    EXPECT_EQ(PermissionsOf(path), permissions);
  }
}

TEST(AtomicFileTest, WritesTheFileBehindALink) {
  TempFolder folder;
  folder.Write("file", "old");
  const std::string link = folder.Path("link");
  ASSERT_EQ(symlink("file", link.c_str()), 0);
  ASSERT_EQ(symlink(link.c_str(), folder.Path("absolute link to link").c_str()), 0);
  ASSERT_TRUE(WriteFileAtomically(folder.Path("absolute link to link"), "new").ok());
  EXPECT_EQ(folder.Read("file"), "new");
  EXPECT_TRUE(IsLink(link));
  EXPECT_TRUE(IsLink(folder.Path("absolute link to link")));
  EXPECT_FALSE(IsLink(folder.Path("file")));
}

TEST(AtomicFileTest, CreatesTheFileThatALinkPromises) {
  TempFolder folder;
  ASSERT_EQ(symlink("file", folder.Path("link").c_str()), 0);
  ASSERT_TRUE(WriteFileAtomically(folder.Path("link"), "new").ok());
  EXPECT_EQ(folder.Read("file"), "new");
  EXPECT_TRUE(IsLink(folder.Path("link")));
}

TEST(AtomicFileTest, WritesToTheWorkingFolder) {
  TempFolder folder;
  char old_folder[4096];
  ASSERT_NE(getcwd(old_folder, sizeof(old_folder)), nullptr);
  ASSERT_EQ(chdir(folder.Path("").c_str()), 0);
  const absl::Status status = WriteFileAtomically("file", "new");
  ASSERT_EQ(chdir(old_folder), 0);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(folder.Read("file"), "new");
}

struct BadPath {
  std::string name;
  std::string path;
  std::string message;
};

TEST(AtomicFileTest, RefusesWhatCannotBeReplaced) {
  TempFolder folder;
  const std::string loop = folder.Path("loop");
  ASSERT_EQ(symlink("loop", loop.c_str()), 0);
  const std::string pipe = folder.Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const BadPath bad_paths[] = {
      {"empty", "", "the path of the file to write is empty"},
      {"folder", folder.Path("."), "Is a directory"},
      {"folder to be", folder.Path("none/"), "Is a directory"},
      {"in a missing folder", folder.Path("none/file"), "No such file or directory"},
      {"below a file", folder.Write("file", "") + "/x", "Not a directory"},
      {"link to itself", loop, "Too many levels of symbolic links"},
      {"pipe", pipe, "is a pipe or a device"},
      {"device", "/dev/null", "is a pipe or a device"},
      {"standard output", "/dev/stdout", "is a pipe or a device"},
      {"long name", folder.Path(std::string(300, 'x')), "File name too long"},
  };
  for (const BadPath& bad : bad_paths) {
    SCOPED_TRACE(bad.name);
    const auto file = AtomicFile::Create(bad.path);
    EXPECT_THAT(file.status().ToString(), HasSubstr(bad.message));
    EXPECT_THAT(std::string(file.status().message()), StartsWith(bad.path));
  }
  EXPECT_THAT(folder.Names(), ElementsAre("file", "loop", "pipe"));
}

TEST(WriteFileAtomicallyTest, WritesIntoAPipe) {
  TempFolder folder;
  const std::string path = folder.Path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const absl::Status status = WriteFileAtomically(path, "through the pipe");
  EXPECT_TRUE(status.ok()) << status;
  char bytes[100];
  const ssize_t count = read(reader, bytes, sizeof(bytes));
  close(reader);
  ASSERT_GT(count, 0);
  EXPECT_EQ(std::string(bytes, count), "through the pipe");
  EXPECT_THAT(folder.Names(), ElementsAre("pipe"));
}

TEST(WriteFileAtomicallyTest, WritesIntoDevices) {
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "gone").ok());
  EXPECT_THAT(WriteFileAtomically("/dev/full", "x").ToString(),
              HasSubstr("/dev/full: No space left on device"));
}

TEST(WriteFileAtomicallyTest, ContinuesARedirectedStandardStream) {
  testing::internal::CaptureStdout();  // Into a file.
  ASSERT_EQ(write(STDOUT_FILENO, "before ", 7), 7);
  const absl::Status out_status = WriteFileAtomically("/dev/stdout", "contents");
  ASSERT_EQ(write(STDOUT_FILENO, " behind", 7), 7);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before contents behind");
  EXPECT_TRUE(out_status.ok()) << out_status;

  testing::internal::CaptureStderr();
  const absl::Status err_status = WriteFileAtomically("/dev/stderr", "contents");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "contents");
  EXPECT_TRUE(err_status.ok()) << err_status;
}

}  // namespace
}  // namespace logitchain
