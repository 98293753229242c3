import type { PhraseRule } from './phrase-scan.ts';

const URL = '[^!?。！？؟\\n]{0,80}?https?://';
const SECRET_FILE =
  '~?/?\\.ssh|id_(?:rsa|ed25519|ecdsa)|\\.env(?![\\w.])|\\.aws/credentials|\\.netrc|\\.kube/config';

interface Language {
  /** To ignore, forget, disregard. */
  readonly ignore: string;
  /** Earlier, above, all, of the system. */
  readonly earlier: string;
  readonly instructions: string;
  /** To send, upload, copy. */
  readonly send: string;
  readonly secrets: string;
  /** Without the user's knowledge, or: do not tell the user. */
  readonly hide: string;
}

/** The plain shapes: set aside earlier instructions, send secrets away, hide it from the user. */
const LANGUAGES: readonly Language[] = [
  {
    ignore:
      'игнорир\\p{L}+|проигнорир\\p{L}+|забуд\\p{L}+|отбрось\\p{L}*|не обращай\\p{L}* внимания на|пренебрег\\p{L}+',
    earlier:
      'предыдущ\\p{L}+|прежн\\p{L}+|предшествующ\\p{L}+|прошл\\p{L}+|вышеуказанн\\p{L}+|системн\\p{L}+|ранее \\p{L}+',
    instructions: 'инструкци\\p{L}+|указани\\p{L}+|правил\\p{L}*|команд\\p{L}*|распоряжени\\p{L}+',
    send: 'отправ\\p{L}+|отошл\\p{L}+|пошл\\p{L}+|загрузи\\p{L}*|выгрузи\\p{L}*|скопируй\\p{L}*|передай\\p{L}*|перешли\\p{L}*',
    secrets:
      'ключ\\p{L}*|парол\\p{L}+|токен\\p{L}*|секрет\\p{L}*|учётн\\p{L}+ данн\\p{L}+|учетн\\p{L}+ данн\\p{L}+|переменн\\p{L}+ окружения',
    hide: '(?:не (?:говори\\p{L}*|сообщай\\p{L}*|рассказывай\\p{L}*|показывай\\p{L}*)|ничего не (?:говори\\p{L}*|сообщай\\p{L}*))[^.!?\\n]{0,30}?пользовател\\p{L}+|без ведома пользовател\\p{L}+|тайно от пользовател\\p{L}+',
  },
  {
    ignore: 'ігнору\\p{L}+|проігнору\\p{L}+|забуд\\p{L}+',
    earlier: 'попередн\\p{L}+|системн\\p{L}+|вищезазначен\\p{L}+',
    instructions: 'інструкці\\p{L}+|вказівк\\p{L}+|правил\\p{L}*|команд\\p{L}*',
    send: 'надішл\\p{L}+|відправ\\p{L}+|завантаж\\p{L}+|скопіюй\\p{L}*|передай\\p{L}*',
    secrets: 'ключ\\p{L}*|парол\\p{L}+|токен\\p{L}*|секрет\\p{L}*|змінн\\p{L}+ середовища',
    hide: 'не (?:кажи\\p{L}*|повідомляй\\p{L}*)[^.!?\\n]{0,30}?користувач\\p{L}+|без відома користувач\\p{L}+',
  },
  {
    ignore: 'ignor(?:e|a|em|ar)|esque[çc](?:a|e|am|er)|desconsider(?:e|a|em|ar)|descart(?:e|a|em|ar)',
    earlier: 'anteriores|pr[ée]vi[ao]s|acima|precedentes|do sistema',
    instructions: 'instru[çc][õo]es|regras|ordens|comandos|diretrizes|orienta[çc][õo]es',
    send: 'envi(?:e|a|em|ar)|mand(?:e|a|em|ar)|carreg(?:ue|a)|copi(?:e|a|em|ar)|transmit(?:a|e|ir)|poste|publique',
    secrets: 'chaves?|senhas?|credenciais|vari[áa]veis de ambiente|segredos|tokens?',
    hide: '(?:n[ãa]o|nunca) (?:diga|conte|informe|mencione|avise|revele)\\p{L}*[^.!?\\n]{0,30}?(?:ao|à|o|a) (?:usu[áa]ri[oa]|utilizador\\p{L}*)|sem (?:avisar|informar|contar|o conhecimento)[^.!?\\n]{0,15}?(?:usu[áa]ri[oa]|utilizador\\p{L}*)',
  },
  {
    ignore:
      'ignor(?:a|ate|are|i)|dimentic(?:a|ate|are)|trascur(?:a|ate|are)|scart(?:a|ate|are)|non (?:seguire|considerare)',
    earlier: 'precedenti|di prima|sopra(?:stanti)?|anteriori|del sistema|di sistema',
    instructions: 'istruzioni|regole|ordini|indicazioni|comandi|direttive',
    send: 'invi(?:a|ate|are)|mand(?:a|ate|are)|spedi(?:sci|te|re)|caric(?:a|ate|are)|copi(?:a|ate|are)|trasmett(?:i|ete|ere)|pubblic(?:a|ate|are)',
    secrets: "chiav[ei]|password|credenziali|variabili d'ambiente|segreti|tokens?",
    hide: "(?:non|mai) (?:dire|dirlo|dica|raccontare|informare|avvisare|menzionare|rivelare)[^.!?\\n]{0,30}?(?:all'|l'|al |gli )?(?:utente|utenti)|senza (?:dirlo|avvisare|informare|dire nulla)[^.!?\\n]{0,15}?utente|all'insaputa dell'utente",
  },
  {
    ignore: 'negeer|vergeet|sla (?=alle|de)',
    earlier: 'vorige|eerdere|voorgaande|bovenstaande',
    instructions: 'instructies|regels|opdrachten|aanwijzingen',
    send: 'stuur|verstuur|verzend|kopieer',
    secrets: 'sleutels?|wachtwoord\\p{L}*|inloggegevens|omgevingsvariabelen|geheimen|tokens?',
    hide: '(?:vertel|zeg|meld) (?:het |dit )?(?:niet|niets|nooit) (?:aan )?de gebruiker|(?:vertel|zeg|meld) de gebruiker (?:niets|niet)|zonder (?:medeweten van )?de gebruiker',
  },
  {
    ignore: 'zignoruj\\p{L}*|ignoruj\\p{L}*|zapomnij\\p{L}*|pomiń',
    earlier: 'poprzedni\\p{L}+|wcześniejsz\\p{L}+|powyższ\\p{L}+|systemow\\p{L}+',
    instructions: 'instrukcj\\p{L}+|poleceni\\p{L}+|poleceń|zasad\\p{L}*|reguł\\p{L}*|wytyczn\\p{L}+',
    send: 'wyślij\\p{L}*|prześlij\\p{L}*|skopiuj\\p{L}*',
    secrets: 'klucz\\p{L}*|hasł\\p{L}+|token\\p{L}*|sekret\\p{L}*|zmienn\\p{L}+ środowiskow\\p{L}+',
    hide: 'nie (?:mów|informuj|wspominaj)\\p{L}*[^.!?\\n]{0,30}?użytkownik\\p{L}+|bez wiedzy użytkownik\\p{L}+',
  },
  {
    ignore: 'yok say\\p{L}*|görmezden gel\\p{L}*|unut\\p{L}*|dikkate alma\\p{L}*',
    earlier: 'önceki|yukarıdaki|daha önceki',
    instructions: 'talimat\\p{L}*|kural\\p{L}*|komut\\p{L}*|yönerge\\p{L}*',
    send: 'gönder\\p{L}*|yükle\\p{L}*|kopyala\\p{L}*',
    secrets: 'anahtar\\p{L}*|parola\\p{L}*|şifre\\p{L}*|ortam değişken\\p{L}*',
    hide: 'kullanıcıya (?:söyleme|bildirme|haber verme)\\p{L}*|kullanıcının haberi olmadan',
  },
  {
    ignore: '무시\\p{L}*|잊어\\p{L}*|따르지 \\p{L}+',
    earlier: '이전|앞의|앞선|위의|기존',
    instructions: '지시\\p{L}*|명령\\p{L}*|지침\\p{L}*|규칙\\p{L}*',
    send: '전송\\p{L}*|보내\\p{L}*|업로드\\p{L}*|복사\\p{L}*',
    secrets: '키\\p{L}*|비밀번호\\p{L}*|토큰\\p{L}*|환경 ?변수\\p{L}*|자격 ?증명\\p{L}*',
    hide: '(?:사용자|유저)(?:에게|한테|가|는)? ?(?:\\p{L}+ )?(?:말하지|알리지|보고하지|모르게)',
  },
  {
    ignore: 'و?تجاهل\\p{L}*|انس\\p{L}*|اهمل\\p{L}*|أهمل\\p{L}*',
    earlier: '(?:ال)?سابقة|السابقه|أعلاه|المتقدمة|السابقات',
    instructions: '(?:ال)?تعليمات|(?:ال)?أوامر|(?:ال)?قواعد|(?:ال)?توجيهات|(?:ال)?إرشادات',
    send: 'و?(?:أرسل|ارسل|ارفع|انسخ|حمّل)\\p{L}*',
    secrets: '(?:ال)?مفاتيح|(?:ال)?مفتاح|كلمات? (?:ال)?(?:مرور|سر)|(?:ال)?أسرار|متغيرات (?:ال)?بيئة',
    hide: 'لا (?:تخبر|تبلغ|تقل|تذكر)\\p{L}*[^.!?؟\\n]{0,20}?المستخدم|دون علم المستخدم|بدون علم المستخدم',
  },
  {
    ignore: 'अनदेखा\\p{L}*|नज़रअंदाज़|भूल\\p{L}*',
    earlier: 'पिछले|पिछली|पहले के|उपरोक्त',
    instructions: 'निर्देश\\p{L}*|नियम\\p{L}*|आदेश\\p{L}*',
    send: 'भेज\\p{L}*|अपलोड',
    secrets: 'कुंजी\\p{L}*|पासवर्ड|टोकन',
    hide: '(?:उपयोगकर्ता|यूज़र) को (?:मत बता|न बता|नहीं बता)',
  },
];

/** The words of an override in any order: languages put the verb first, last or between. */
function override({ ignore, earlier, instructions }: Language): RegExp {
  const parts: Record<string, string> = { i: ignore, e: earlier, n: instructions };
  const orders = ['ien', 'ine', 'nei', 'eni', 'nie', 'ein'].map((order) =>
    [...order].map((key) => `(?:${parts[key]})`).join('(?:[ ,]{0,2}[\\p{L}\\p{M}]{1,14}){0,3}?[ ,]{0,2}'),
  );
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${orders.join('|')})`, 'giu');
}

function sending({ send, secrets }: Language): RegExp {
  const what = `(?:${secrets}|${SECRET_FILE})`;
  return new RegExp(
    `(?<!\\p{L})(?:(?:${send})[^!?。！？؟\\n]{0,60}?${what}${URL}|${what}[^!?。！？؟\\n]{0,60}?https?://[^\\s]{1,200}[^!?。！？؟\\n]{0,20}?(?:${send})|${what}[^!?。！？؟\\n]{0,40}?(?:${send})${URL})`,
    'giu',
  );
}

const rule =
  (name: string, severity: PhraseRule['severity'], message: string) =>
  (pattern: RegExp): PhraseRule => ({
    rule: name,
    severity,
    message,
    pattern,
    negation: 'adjacent',
  });

/** What the other rules say of overriding, sending and hiding, in further languages, in its plain shape. */
export const OVERRIDE_LANGUAGES: readonly PhraseRule[] = [
  ...LANGUAGES.map(override).map(
    rule('injected-instruction', 'refuse', 'a skill must not set itself above other instructions'),
  ),
  ...LANGUAGES.map(sending).map(rule('exfiltration', 'refuse', 'it sends secrets away')),
  ...LANGUAGES.map(({ hide }) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${hide})`, 'giu')).map(
    rule('hides-from-user', 'ask', 'a skill must not keep the user from seeing what is done'),
  ),
];
