import { beforeAll, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { givenLibrary, libraryFolder } from '../support/library-folder.ts';

/** Skills as people write them in Chinese and Japanese, with words in common. */
const SKILLS: Record<string, string> = {
  'pdf-解析': '解析PDF文档，提取文字和表格。用户上传PDF时使用。',
  'api-docs': '编写接口文档，说明参数和返回值。',
  'unit-tests': '为代码编写单元测试，检查测试覆盖率。',
  'code-review': '审查代码质量，指出安全漏洞和性能问题。',
  'data-viz': '数据可视化：用图表展示统计数据。',
  'db-migration': 'データベースの移行を行う。テーブルの変更とバックアップの手順。',
  'server-logs': 'サーバーのログを解析して、エラーの原因を調べる。',
  'mail-draft': 'お客様へのメールの下書きを作成する。敬語を使う。',
  'meeting-notes': '会議の議事録をまとめる。決定事項と担当者を書き出す。',
  'expense-report': '経費精算の申請書を作る。領収書の金額を集計する。',
  'docker-部署': '使用Docker部署应用到服务器，配置容器和网络。',
  'translate-ja-zh': '日本語と中国語の間で文章を翻訳する。',
};

const FOUND: [query: string, name: string][] = [
  ['解析pdf', 'pdf-解析'],
  ['帮我从这个PDF里提取表格', 'pdf-解析'],
  ['接口文档怎么写', 'api-docs'],
  ['写单元测试', 'unit-tests'],
  ['检查这段代码有没有安全漏洞', 'code-review'],
  ['把销售数据画成图表', 'data-viz'],
  ['用docker部署到服务器', 'docker-部署'],
  ['データベース', 'db-migration'],
  ['データベースのテーブルを変更したい', 'db-migration'],
  ['ﾃﾞｰﾀﾍﾞｰｽの移行', 'db-migration'],
  ['サーバーのエラーを調べて', 'server-logs'],
  ['お客様にメールを書いて', 'mail-draft'],
  ['議事録を作って', 'meeting-notes'],
  ['領収書の集計', 'expense-report'],
  ['この文章を中国語に翻訳して', 'translate-ja-zh'],
];

let library: Library;

beforeAll(async () => {
  const root = libraryFolder();
  for (const [name, description] of Object.entries(SKILLS)) root.skill(name, { description });
  library = await root.open();
});

describe('Chinese and Japanese requests', () => {
  test.each(FOUND)('%s brings up %s among the first three', (query, name) => {
    const names = library.search(query, { limit: 3 }).map((hit) => hit.name);
    expect(names).toContain(name);
  });

  test('in most cases first', () => {
    const first = FOUND.filter(([query, name]) => library.search(query)[0]?.name === name);
    expect(first.length).toBeGreaterThanOrEqual(FOUND.length - 2);
  });

  test.each(['今天天气真好', '昨日は猫と遊んだ'])('about something else find nothing: %s', (query) => {
    expect(library.search(query)).toEqual([]);
  });
});

const BODY = 'Say what was done, step by step, and what is left to do.\n';

/** So many skills that a word which a good part of them holds is worth little beside one that none does. */
function manySkills(words: readonly string[], kind: (word: string) => string, pdf: string) {
  const others = Array.from({ length: 1200 }, (_, index) => {
    const word = `${words[index % words.length]}${index}`;
    return [`skill-${index}`, { description: kind(word) }] as const;
  });
  const own = Array.from({ length: 60 }, (_, index) => [
    `pdf-${index}`,
    { description: `${pdf}: ${index} PDF.`, body: BODY },
  ]);
  return givenLibrary(Object.fromEntries([...others, ...own]));
}

describe('a query with words in another script than the skills are written in', () => {
  let english: Library;
  let chinese: Library;

  beforeAll(async () => {
    english = await manySkills(['tree', 'house'], (word) => `Looks after a ${word}.`, 'Reads each page');
    chinese = await manySkills(['树木', '房屋'], (word) => `照看${word}的工作。`, '读取每一页');
  });

  test.each(['解析pdf', 'PDF 文档', 'PDFを解析する', 'pdf 분석', 'парсинг pdf', 'ανάλυση pdf', 'ניתוח pdf'])(
    'is answered by the words that they can hold: %s',
    (query) => {
      expect(english.search(query, { limit: 3 }).map(({ name }) => name.slice(0, 4))).toEqual([
        'pdf-',
        'pdf-',
        'pdf-',
      ]);
    },
  );

  test.each(['今天天气真好', '昨日は猫と遊んだ', 'Почему пал Рим', '오늘 날씨 어때'])(
    'finds nothing where these are all: %s',
    (query) => {
      expect(english.search(query)).toEqual([]);
      expect(chinese.search(query)).toEqual([]);
    },
  );

  test('skills in the script of the query are held to all of its words', () => {
    expect(chinese.search('订机票 pdf')).toEqual([]);
    expect(english.search('book flight pdf')).toEqual([]);
  });
});

describe('a word in katakana', () => {
  let japanese: Library;

  beforeAll(async () => {
    japanese = await givenLibrary({
      crosspost: { description: '記事のコンテンツを複数のサイトに投稿する。' },
      pagination: { description: 'APIのページネーションを実装する。' },
      'server-logs': { description: 'サーバーのログを調べる。' },
      usability: { description: 'ユーザビリティを評価する。' },
      'db-move': { description: 'データベースを移す。' },
    });
  });

  test.each(['コンテナ', 'ｺﾝﾃﾅ', 'マイグレーション', 'Dockerコンテナに関する設定'])(
    'is found in none that shares no more than its pairs: %s',
    (query) => {
      expect(japanese.search(query)).toEqual([]);
    },
  );

  test.each([
    ['コンテンツ', 'crosspost'],
    ['サーバ', 'server-logs'],
    ['サーバログ', 'server-logs'],
    ['ユーザービリティ', 'usability'],
    ['データ', 'db-move'],
    ['データベースマイグレーション', 'db-move'],
  ])('is found in a longer word, in its own parts, and without the mark of length: %s', (query, name) => {
    expect(japanese.search(query).map((hit) => hit.name)).toEqual([name]);
  });
});
