"""Writes the man page and the completions of the command line from what its --help says.

    command_pages.py EXECUTABLE FOLDER

ulisse.1, ulisse.bash and _ulisse are written there.
"""

import pathlib
import re
import subprocess
import sys


def help_of(executable, *command):
    return subprocess.run([executable, *command, "--help"], capture_output=True, text=True, check=True).stdout


def subcommands(text):
    """(name, words) of the last part of a help text, where it has one."""
    _, _, part = text.partition("Subcommands:\n")
    return re.findall(r"^  (\S+) +(\S.*)$", part, re.M)


def flags(text):
    """(flag, words) of the options of a help text."""
    found = []
    for line in text.splitlines():
        option = re.match(r"  (?:-h,)?(--[a-z][a-z-]*)[^ ]*(?: [A-Z]+[^ ]*)?(?: +(\S.*))?$", line)
        if option:
            found.append([option.group(1), option.group(2) or ""])
        elif found and not found[-1][1] and line.startswith(" " * 10):
            found[-1][1] = line.strip()
    return found


def commands(executable):
    """{command as typed: its help}, bench's own subcommands included."""
    all_of_them = {}
    for name, _ in subcommands(help_of(executable)):
        text = help_of(executable, name)
        all_of_them[name] = text
        for inner, _ in subcommands(text):
            all_of_them[f"{name} {inner}"] = help_of(executable, name, inner)
    return all_of_them


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def man_page(executable, pages):
    version = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    about = help_of(executable).splitlines()[0].rstrip(".")
    lines = [f'.TH ULISSE 1 "" "{version}" "User Commands"', ".SH NAME", f"ulisse \\- {roff(about)}", ".SH SYNOPSIS",
             ".B ulisse\nCOMMAND [OPTIONS]", ".SH COMMANDS"]
    for name, text in pages.items():
        first, *rest = text.rstrip().splitlines()
        lines += [f".SS ulisse {name}", roff(first), ".nf", roff("\n".join(rest)), ".fi"]
    return "\n".join(lines) + "\n"


def bash_completion(pages):
    names = [name for name in pages if " " not in name]
    inner = [name.split()[1] for name in pages if name.startswith("bench ")]
    cases = "\n".join(f'    "{name}") options="{" ".join(flag for flag, _ in flags(text))}" ;;' for name, text in pages.items())
    return f"""# bash completion for ulisse
_ulisse() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} options=
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{" ".join(names)} --help --version" -- "$current"))
    return
  fi
  if [[ $command == bench ]]; then
    if [[ $COMP_CWORD -eq 2 ]]; then
      COMPREPLY=($(compgen -W "{" ".join(inner)} --help" -- "$current"))
      return
    fi
    command="bench ${{COMP_WORDS[2]}}"
  fi
  case $command in
{cases}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  fi
}}
complete -o default -F _ulisse ulisse
"""


def quoted(text):
    return text.replace("'", "'\\''").replace(":", "\\:").replace("[", "\\[").replace("]", "\\]")


def zsh_completion(pages):
    described = "\n".join(f"    '{name}:{quoted(text.splitlines()[0])}'" for name, text in pages.items() if " " not in name)
    inner = " ".join(name.split()[1] for name in pages if name.startswith("bench "))
    cases = "\n".join("    '{}') _arguments '*:file:_files' {} ;;".format(
        name, " ".join(f"'{flag}[{quoted(words[:70])}]'" for flag, words in flags(text))) for name, text in pages.items())
    return f"""#compdef ulisse
_ulisse() {{
  local -a commands
  commands=(
{described}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  if [[ $command == bench ]]; then
    if (( CURRENT == 3 )); then
      compadd {inner}
      return
    fi
    command="bench $words[3]"
  fi
  case $command in
{cases}
  esac
}}
_ulisse "$@"
"""


def main():
    executable, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    pages = commands(executable)
    (folder / "ulisse.1").write_text(man_page(executable, pages))
    (folder / "ulisse.bash").write_text(bash_completion(pages))
    (folder / "_ulisse").write_text(zsh_completion(pages))


if __name__ == "__main__":
    main()
