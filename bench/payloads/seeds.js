/** What the texts of the corpus are made of: a few sentences, names and lines of each kind, written for it. */

export const SENTENCES = `
The report was finished on Monday, and the authors sent it to the committee before noon.
Prices rose by three percent in the second quarter; wages are expected to follow.
She keeps the keys in the drawer next to the window, beneath a passport and a map.
It is easy to see why: the basic idea is older than the machines that we use today.
Several libraries share this design, though none of them documents the reasons.
Most visitors arrive by train, and a few walk from the harbour across the old bridge.
The committee needs a secretary who signs the minutes and passes them to the members.
If the server does not answer within ten seconds, the client asks again and then gives up.
Rain fell all night; by the morning the river had risen above the lower meadows.
A token of thanks was handed to everyone who had helped, from the cook to the drivers.
You can read more in chapter four, "How compilers see your code", and in its appendix.
Nobody had expected the result, least of all the team that had proposed the experiment.
The museum is open from 10:00 to 18:30, except on Tuesdays (and on 1 January).
He wrote: "We agreed to compare both methods, but the data are not good enough yet."
Users who forget a password receive a message with a link that is valid for an hour.
`
  .trim()
  .split('\n');

export const LOREM = `Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur. Excepteur sint occaecat cupidatat non proident, sunt in culpa qui officia deserunt mollit anim id est laborum.`;

export const CJK = `
東京都は日本の首都であり、人口は約一千四百万人です。
このファイルには設定の例が含まれています。必要に応じて変更してください。
北京的秋天天气晴朗,许多游客前往长城参观。
请在提交之前检查所有的测试是否通过,并更新文档。
서버가 응답하지 않으면 클라이언트는 요청을 다시 보냅니다.
検索結果は 25 件見つかりました。詳細はリンク先を参照してください。
`
  .trim()
  .split('\n');

export const WORDS =
  'account address author balance basket branch buffer cache change channel client column commit config content count customer cursor date default design device document driver editor element engine entry event feature field filter folder format frame handler header image index input invoice item key label language layout length level library limit line list location message method metadata module name network node number object option order output owner package page parser passenger path pattern payment pixel policy position product profile project property query queue reader record region request result review role row schema screen script section segment server session signal size source stage state status stream string style table target template thread title token topic type update user value vector version view window worker'.split(
    ' ',
  );

export const FUNCTIONS = [
  (a, b, c) =>
    `/** Returns the ${a} of a ${b}. */\nexport function ${a}Of(${b}: ${up(b)}, ${c}: number): ${up(a)} | undefined {\n  const found = ${b}.${a}s.find((${a}) => ${a}.${c} === ${c} && !${a}.isClosed);\n  if (found === undefined) return undefined;\n  return { ...found, ${c}: Math.max(0, ${c} - 1) };\n}\n\n`,
  (a, b, c) =>
    `class ${up(a)}${up(b)}(Base${up(b)}):\n    """Keeps the ${c} of each ${a}."""\n\n    def __init__(self, ${c}: int = 10, *, ${b}: str | None = None):\n        self.${c} = ${c}\n        self._${b} = ${b} or "${a}"\n\n    def ${a}(self, key: str) -> list[${up(a)}]:\n        return [x for x in self._${b}s if x.key == key]\n\n`,
  (a, b, c) =>
    `import { ${up(a)}, type ${up(b)} } from '../${a}/${b}.ts';\n\nconst ${c}s = new Map<string, ${up(a)}>();\nfor (const ${a} of await load${up(b)}('${c}')) ${c}s.set(${a}.id, ${a});\n\n`,
  (a, b, c) =>
    `func (s *${up(a)}) Get${up(b)}(ctx context.Context, id int64) (*${up(b)}, error) {\n\trow := s.db.QueryRowContext(ctx, "SELECT id, ${c} FROM ${b}s WHERE id = $1", id)\n\tvar out ${up(b)}\n\tif err := row.Scan(&out.ID, &out.${up(c)}); err != nil {\n\t\treturn nil, fmt.Errorf("${a}: %w", err)\n\t}\n\treturn &out, nil\n}\n\n`,
];

export const ERRORS = [
  'TypeError: Cannot read properties of undefined',
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  'ValueError: could not convert string to float',
  'java.lang.IllegalStateException: stream has already been operated upon',
  'Error: ENOENT: no such file or directory, open',
];

export function up(word) {
  return word[0].toUpperCase() + word.slice(1);
}
